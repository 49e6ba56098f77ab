// Times ONNX Runtime on one batch: node run_onnx_runtime.mjs MODEL INPUT DIMS TYPE OUTPUT SECONDS
// INPUT holds little-endian numbers of shape DIMS ("64,1,28,28") and TYPE (float32, int64). Prints the processor seconds of
// each run, one a line, for about SECONDS; OUTPUT gets the first output as float32. One thread, all graph optimisations.
// ORT_HOME names a folder in which `npm install onnxruntime-node` was run.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
const require = createRequire(path.join(process.env.ORT_HOME ?? process.cwd(), 'x.js'));
const ort = require('onnxruntime-node');

const [model, input, dims, type, output, seconds] = process.argv.slice(2);
const bytes = fs.readFileSync(input);
const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const data = new (type === 'int64' ? BigInt64Array : Float32Array)(whole);
const session = await ort.InferenceSession.create(model, {
  intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', graphOptimizationLevel: 'all', logSeverityLevel: 3 });
const feeds = { [session.inputNames[0]]: new ort.Tensor(type, data, dims.split(',').map(Number)) };

let result = await session.run(feeds);
let total = 0;
for (let runs = 0; total < Number(seconds) || runs < 3; ++runs) {
  const before = process.cpuUsage();
  result = await session.run(feeds);
  const used = process.cpuUsage(before);
  total += (used.user + used.system) / 1e6;
  console.log((used.user + used.system) / 1e6);
}
const first = result[session.outputNames[0]].data;
fs.writeFileSync(output, Buffer.from(first.buffer, first.byteOffset, first.byteLength));
