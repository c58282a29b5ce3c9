package dev.pawl.internal.engine;

/** Lets an interceptor proceed once, in its own thread, before it returns. A second call would run the handler twice for one attempt. */
final class Once {
    private final Thread thread = Thread.currentThread();
    private boolean hasBegun;
    private boolean isFinished;

    void begin() {
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException("proceed() was called by another thread: the timeout and a cancel"
                    + " interrupt the handler's own, so call it there");
        }
        if (hasBegun || isFinished) {
            throw new IllegalStateException("proceed() was called "
                    + (hasBegun ? "a second time" : "after the interceptor had returned")
                    + ": an attempt runs its handler once; to run it again return Outcome.retryAfter(…)");
        }
        hasBegun = true;
    }

    void finish() {
        isFinished = true;
    }
}
