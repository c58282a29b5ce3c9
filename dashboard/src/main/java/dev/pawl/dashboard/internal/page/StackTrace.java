package dev.pawl.dashboard.internal.page;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Splits a stack trace into the frames of the program and the frames of Pawl and the JDK, which differ little between traces. */
public final class StackTrace {
    /** Minimum number of frames to fold. */
    private static final int LEAST = 2;

    /** A frame of the worker, of reflection or of a thread's executor. The names of its class loader and module may precede it. */
    private static final Pattern OURS = Pattern.compile("^\\s*(?:at )?(?:[\\w.@-]*/){0,2}(?:dev\\.pawl\\.internal\\."
            + "|dev\\.pawl\\.api\\.Handlers|dev\\.pawl\\.Worker"
            + "|java\\.lang\\.reflect\\.|jdk\\.internal\\.|sun\\.reflect\\."
            + "|java\\.util\\.concurrent\\.(?:ThreadPoolExecutor|FutureTask|Executors|ThreadPerTaskExecutor)"
            + "|java\\.lang\\.(?:Thread|VirtualThread)\\.run)[\\w.$<>/-]*\\(.*");

    private StackTrace() {}

    /**
     * Neighbouring lines.
     *
     * @param text of the lines
     * @param frames their number
     * @param isFolded whether all of them are frames of Pawl or the JDK
     */
    public record Part(String text, int frames, boolean isFolded) {}

    /** {@return the parts of a trace, in order} */
    public static List<Part> of(String trace) {
        List<Part> parts = new ArrayList<>();
        List<String> open = new ArrayList<>();
        List<String> ours = new ArrayList<>();
        for (String line : trace.split("\\R", -1)) {
            if (OURS.matcher(line).matches()) {
                ours.add(line);
                continue;
            }
            fold(parts, open, ours);
            open.add(line);
        }
        fold(parts, open, ours);
        show(parts, open);
        return parts;
    }

    private static void fold(List<Part> parts, List<String> open, List<String> ours) {
        if (ours.size() < LEAST) {
            open.addAll(ours);
        } else {
            show(parts, open);
            parts.add(new Part(String.join("\n", ours), ours.size(), true));
        }
        ours.clear();
    }

    private static void show(List<Part> parts, List<String> open) {
        String text = String.join("\n", open);
        if (!text.isBlank()) {
            parts.add(new Part(text, open.size(), false));
        }
        open.clear();
    }
}
