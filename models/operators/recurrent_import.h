#pragma once
// ONNX LSTM, GRU and RNN as a Linear for the inputs and a Recurrent for the states.

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

void import_lstm(onnx::ImportContext& context);
void import_gru(onnx::ImportContext& context);
void import_rnn(onnx::ImportContext& context);

}  // namespace tellegen::models
