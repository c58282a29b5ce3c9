package dev.pawl.lab.study;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The designs of the study by their names. */
public final class Designs {
    private static final Pattern PESSIMISTIC =
            Pattern.compile("DBP-([01])-([01])-(\\d{1,2})(-noindex|-index54)?(-skip)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern OPTIMISTIC =
            Pattern.compile("DBO-([01])(-noindex|-index54)?", Pattern.CASE_INSENSITIVE);

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
     * @param name {@code DBP-<mark>-<fetch>-<tries>}, {@code DBO-0} (window 1) or {@code DBO-1} (a window of as many as there
     *     are workers), with {@code -noindex} or {@code -index54}, and for DBP {@code -skip} (SKIP LOCKED)
     * @param workers how many there are
     * @return the design
     * @throws IllegalArgumentException if the name is none of these
     */
    public static Design named(String name, int workers) {
        Matcher pessimistic = PESSIMISTIC.matcher(name);
        Matcher optimistic = OPTIMISTIC.matcher(name);
        if (pessimistic.matches()) {
            Design design = indexed(
                    Design.pessimistic(
                            pessimistic.group(1).equals("1"),
                            pessimistic.group(2).equals("1"),
                            Integer.parseInt(pessimistic.group(3))),
                    pessimistic.group(4));
            return pessimistic.group(5) == null ? design : design.skippingLocked();
        }
        if (optimistic.matches()) {
            boolean first = optimistic.group(1).equals("0");
            return indexed(Design.optimistic(first ? 1 : workers), optimistic.group(2));
        }
        throw new IllegalArgumentException(
                "'" + name + "' is not a design of the study: use DBP-MARK-FETCH-TRIES, such as"
                        + " DBP-0-0-5, or DBO-0, DBO-1, with -noindex or -index54, and for DBP -skip");
    }

    private static Design indexed(Design design, @org.jspecify.annotations.Nullable String index) {
        if (index == null) {
            return design;
        }
        return design.index(
                index.toLowerCase(Locale.ROOT).equals("-noindex") ? Design.Index.NONE : Design.Index.LEGACY_54);
    }
}
