// expect: compile_error 0
// A compiler's message that a log would obey.
#error ::error::LEAKED-TO-LOG ##[error]LEAKED ##vso[task.complete result=Succeeded]
