// One model through ONNX Runtime: node run_model.mjs MODEL INPUT DIMS OUTPUT.f32 [float32|int64]
// INPUT holds little-endian numbers of shape DIMS ("64,1,28,28"); the first output is written to OUTPUT, its shape to stdout.
// ORT_HOME names a folder in which `npm install --ignore-scripts onnxruntime-node@1.30.0` was run.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
const require = createRequire(path.join(process.env.ORT_HOME ?? process.cwd(), 'x.js'));
const ort = require('onnxruntime-node');

const [model, input, dims, output, type = 'float32'] = process.argv.slice(2);
const bytes = fs.readFileSync(input);
const data = new (type === 'int64' ? BigInt64Array : Float32Array)(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const options = { intraOpNumThreads: 1, logSeverityLevel: 3, graphOptimizationLevel: 'disabled' };
const session = await ort.InferenceSession.create(model, options);
const tensor = new ort.Tensor(type, data, dims.split(',').map(Number));
const result = (await session.run({ [session.inputNames[0]]: tensor }))[session.outputNames[0]];
fs.writeFileSync(output, Buffer.from(result.data.buffer, result.data.byteOffset, result.data.byteLength));
console.log(result.dims.join(','));
