package dev.pawl.internal.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Combines one query per kind into one statement. */
final class PerKind {
    /** Parsing longer unions costs more than another statement. */
    private static final int LONGEST = 100;

    private PerKind() {}

    /** {@return the kinds in portions for one statement each; none if there are no kinds} */
    static <T> List<List<T>> portions(List<T> kinds) {
        if (kinds.isEmpty()) {
            return List.of(); // other workers have taken all jobs since their priority was read
        }
        if (kinds.size() <= LONGEST) {
            return List.of(kinds);
        }
        List<List<T>> portions = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i += LONGEST) {
            portions.add(kinds.subList(i, Math.min(i + LONGEST, kinds.size())));
        }
        return portions;
    }

    /** {@return the select of a single kind unchanged; else the union of all, each with its own order, limit and locks} */
    static String unionOf(int kinds, IntFunction<String> select) {
        return kinds == 1
                ? select.apply(0)
                : IntStream.range(0, kinds)
                        .mapToObj(kind -> "SELECT * FROM (" + select.apply(kind) + ") kind" + kind)
                        .collect(Collectors.joining(" UNION ALL "));
    }
}
