package dev.pawl.cli;

/** Stops what a command runs when the process gets a signal. The process ends when the hook returns. */
final class StopHook {
    private final Thread hook;

    private StopHook(Thread hook) {
        this.hook = hook;
    }

    /** @param stop called on a signal */
    static StopHook add(Runnable stop) {
        Thread hook = new Thread(stop, "pawl-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        return new StopHook(hook);
    }

    /** Called when nothing runs any more. */
    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            hook.interrupt();
        }
    }
}
