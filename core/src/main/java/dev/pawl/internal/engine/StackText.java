package dev.pawl.internal.engine;

import java.util.List;

/** The stack trace of a handler's thread as text: names and lines, no values. */
final class StackText {
    /** Prefixes of the callers of a handler: Pawl's internals, adapters and interceptors, and the JDK. */
    private static final List<String> CALLERS = List.of(
            "dev.pawl.internal.",
            "dev.pawl.api.",
            "dev.pawl.metrics.",
            "java.lang.Thread",
            "java.lang.VirtualThread",
            "java.lang.reflect.",
            "java.util.concurrent.",
            "jdk.internal.reflect.",
            "jdk.internal.vm.");

    private static final int MAX_FRAMES = 200;

    private StackText() {}

    /**
     * {@return the state, and a line for each frame, the innermost first} Leaves out the outermost frames, of Pawl and the JDK, which
     * call the handler.
     *
     * @param state of the thread
     * @param frames the innermost first
     */
    static String of(Thread.State state, StackTraceElement[] frames) {
        int end = frames.length;
        while (end > 0 && isBelowHandlers(frames[end - 1])) {
            end--;
        }
        StringBuilder text = new StringBuilder(state.toString());
        if (end == 0) {
            text.append("\n    (not in the handler just now)");
        }
        for (int i = 0; i < Math.min(end, MAX_FRAMES); i++) {
            text.append("\n    at ").append(line(frames[i]));
        }
        if (end > MAX_FRAMES) {
            text.append("\n    … and ").append(end - MAX_FRAMES).append(" more");
        }
        return ErrorText.clean(text.toString());
    }

    /** {@return a frame without the names of class loaders and modules, which only add noise} */
    private static String line(StackTraceElement frame) {
        return new StackTraceElement(
                        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber())
                .toString();
    }

    private static boolean isBelowHandlers(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.contains("$$Lambda") || CALLERS.stream().anyMatch(name::startsWith);
    }
}
