package dev.pawl.lab.study;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The designs of the study by their names. */
public final class Designs {
    private static final Pattern NAME = Pattern.compile(
            "(?:DBP-([01])-([01])-(\\d{1,2})|DBO-([01256]))(-noindex|-index54)?(-skip)?(?:-cl(0?\\.\\d+|0))?",
            Pattern.CASE_INSENSITIVE);

    private Designs() {}

    /** {@return what the study published and what its raw files hold beside it, and what its successors do} */
    public static List<String> all() {
        return List.of(
                "DBP-0-0-5",
                "DBP-0-1-5",
                "DBP-0-0-1",
                "DBP-0-1-1",
                "DBP-1-0-1",
                "DBP-0-0-5-noindex",
                "DBP-0-0-5-index54",
                "DBO-0",
                "DBO-1",
                "DBP-0-0-5-skip");
    }

    /**
     * @param name {@code DBP-<mark>-<fetch>-<tries>} or {@code DBO-<window strategy>}, see {@link Design}, followed by
     *     {@code -noindex} or {@code -index54}, for DBP by {@code -skip} (SKIP LOCKED), and by {@code -cl0.3} if jobs enqueue
     *     others with that probability
     * @param workers how many there are
     * @return the design
     * @throws IllegalArgumentException if the name is none of these
     */
    public static Design named(String name, int workers) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches() || (parts.group(4) != null && parts.group(6) != null)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a design of the study: use DBP-MARK-FETCH-TRIES, such"
                            + " as DBP-0-0-5, or DBO-0, -1, -2, -5, -6, with -noindex or -index54, for DBP -skip, and -cl0.3");
        }
        Design design = parts.group(4) != null
                ? Design.optimistic(Integer.parseInt(parts.group(4)), workers)
                : Design.pessimistic(
                        parts.group(1).equals("1"), parts.group(2).equals("1"), Integer.parseInt(parts.group(3)));
        if (parts.group(5) != null) {
            design = design.index(
                    parts.group(5).toLowerCase(Locale.ROOT).equals("-noindex")
                            ? Design.Index.NONE
                            : Design.Index.LEGACY_54);
        }
        if (parts.group(6) != null) {
            design = design.skippingLocked();
        }
        return parts.group(7) == null ? design : design.cloning(Double.parseDouble(parts.group(7)));
    }
}
