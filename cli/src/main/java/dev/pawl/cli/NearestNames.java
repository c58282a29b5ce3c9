package dev.pawl.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that a mistyped one may have meant. */
final class NearestNames {
    private static final int MAX = 3;

    private NearestNames() {}

    /** {@return " (did you mean a, b or c?)", the nearest first; empty if no name is near} */
    static String question(String name, Collection<String> names) {
        List<String> near = of(name, names);
        if (near.isEmpty()) {
            return "";
        }
        String last = near.get(near.size() - 1);
        String others = String.join(", ", near.subList(0, near.size() - 1));
        return " (did you mean " + others + (others.isEmpty() ? "" : " or ") + last + "?)";
    }

    static List<String> of(String name, Collection<String> names) {
        String lower = name.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(each -> isNear(lower, each.toLowerCase(Locale.ROOT)))
                .sorted(Comparator.comparingInt(each -> distance(lower, each.toLowerCase(Locale.ROOT))))
                .limit(MAX)
                .map(Texts::cut)
                .toList();
    }

    private static boolean isNear(String name, String other) {
        boolean contains = name.length() > 2 && (other.contains(name) || name.contains(other));
        return contains || distance(name, other) <= Math.max(2, name.length() / 3);
    }

    /** {@return the number of edits between two names: letters inserted, removed, replaced, or swapped with the next one} */
    static int distance(String one, String other) {
        int[][] table = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                table[i][j] = i == 0 ? j : j == 0 ? i : least(one, other, table, i, j);
            }
        }
        return table[one.length()][other.length()];
    }

    private static int least(String one, String other, int[][] table, int i, int j) {
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int least = Math.min(table[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        boolean exchanged =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return exchanged ? Math.min(least, table[i - 2][j - 2] + 1) : least;
    }
}
