#pragma once

// IDBENCH_SANITIZED: 1 in builds with AddressSanitizer or ThreadSanitizer, which need terabytes of
// addresses and several times the instructions; else 0. GCC defines names for it, Clang features.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IDBENCH_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IDBENCH_SANITIZED 1
#endif
#endif
#ifndef IDBENCH_SANITIZED
#define IDBENCH_SANITIZED 0
#endif
