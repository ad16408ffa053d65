// expect: compile_error
// Machine code in an array in place of the function.
const char softmax_rows[] = {(char)0xc3};
