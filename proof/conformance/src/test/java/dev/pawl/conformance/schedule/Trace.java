package dev.pawl.conformance.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The calls to the database and their actors, in order. Guarded by the scheduler's lock. */
final class Trace {
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final int WIDTH = 240;

    private final List<Line> lines = new ArrayList<>();

    private static final class Line {
        final String actor;
        final String call;
        String outcome = "";

        Line(String actor, String call) {
            this.actor = actor;
            this.call = call;
        }

        /** Cuts the middle of a long call, because its beginning and its end tell most. */
        @Override
        public String toString() {
            String text = SPACE.matcher(call).replaceAll(" ").strip();
            String brief = text.length() <= WIDTH
                    ? text
                    : text.substring(0, WIDTH / 2) + " … " + text.substring(text.length() - WIDTH / 2);
            String result =
                    outcome.isEmpty() ? "" : "  → " + SPACE.matcher(outcome).replaceAll(" ");
            return "%-12s %s%s".formatted(actor, brief, result);
        }
    }

    void add(String actor, String call) {
        lines.add(new Line(actor, call));
    }

    /** Records the result of this actor's last call. */
    void outcome(String actor, String outcome) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).actor.equals(actor)) {
                lines.get(i).outcome = outcome;
                return;
            }
        }
    }

    @Override
    public String toString() {
        return IntStream.range(0, lines.size())
                .mapToObj(i -> "%3d %s".formatted(i, lines.get(i)))
                .collect(Collectors.joining("\n"));
    }
}
