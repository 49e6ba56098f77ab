#include "tellegen/models/operators/one_thread.h"

// From the OpenMP standard (3.2.1, 3.2.3), as <omp.h> declares them: compilers keep that header with their own runtime,
// and we need the one that oneDNN is linked with.
extern "C" {
void omp_set_num_threads(int);
int omp_get_max_threads(void);
}

namespace tellegen::models {

OneThread::OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
OneThread::~OneThread() { omp_set_num_threads(before_); }

}  // namespace tellegen::models
