package dev.pawl.lab.study;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The designs of the study by their names. */
public final class Designs {
    private static final Pattern NAME = Pattern.compile("""
            (?:DBP-(?<mark>[01])-(?<fetch>[01])-(?<tries>\\d{1,2})|DBO-(?<window>[01256]))
            (?<index>-noindex|-index54)?(?<skip>-skip)?(?<planner>-planner)?(?<fresh>-fresh)?(?<alone>-alone)?
            (?:-cl(?<clones>0?\\.\\d+|0))?""", Pattern.CASE_INSENSITIVE | Pattern.COMMENTS);

    private Designs() {}

    /** {@return the study's published designs, those in its raw files, and those of its queue's successors} */
    public static List<String> all() {
        return List.of(
                "DBP-0-0-5",
                "DBP-0-1-5",
                "DBP-0-0-1",
                "DBP-0-1-1",
                "DBP-1-0-1",
                "DBP-0-0-5-noindex",
                "DBO-0",
                "DBO-1",
                "DBP-0-0-5-skip");
    }

    /** {@return the designs whose executions the study recorded in its protocol} */
    public static List<String> withProtocol() {
        return List.of("DBP-0-0-5", "DBP-0-1-1", "DBP-1-0-1", "DBP-0-0-5-noindex", "DBO-0", "DBO-1");
    }

    /** {@return variants of two designs, which show how much the study's results depend on reads, deletes and picks} */
    public static List<String> inOtherSettings() {
        return List.of(
                "DBP-0-0-5",
                "DBP-0-0-5-planner",
                "DBP-0-0-5-fresh",
                "DBP-0-0-5-alone",
                "DBP-0-0-5-noindex",
                "DBP-0-0-5-noindex-fresh",
                "DBP-0-0-5-noindex-alone",
                "DBP-0-0-5-index54",
                "DBP-0-0-5-index54-planner",
                "DBP-0-1-0",
                "DBO-1",
                "DBO-1-fresh",
                "DBO-2",
                "DBO-5",
                "DBO-6");
    }

    /**
     * @param name {@code DBP-<mark>-<fetch>-<tries>} or {@code DBO-<window strategy>}, see {@link Design}, optionally followed, in this
     *     order, by {@code -noindex} or {@code -index54}, {@code -skip} (SKIP LOCKED, only for DBP), {@code -planner} for no forced index,
     *     {@code -fresh} for no statistics, {@code -alone} for workers that poll one queue only, and by {@code -cl0.3} if jobs enqueue
     *     others with that probability
     * @param workers number of workers
     * @return the design
     * @throws IllegalArgumentException if the name is none of these
     */
    public static Design named(String name, int workers) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches() || (parts.group("window") != null && parts.group("skip") != null)) {
            throw new IllegalArgumentException("'" + name + "' is not a design of the study: use DBP-MARK-FETCH-TRIES,"
                    + " such as DBP-0-0-5, or DBO-0, -1, -2, -5, -6; after it, in this order, -noindex or -index54, for"
                    + " DBP -skip, then -planner, -fresh, -alone and -cl0.3");
        }
        Design design = parts.group("window") != null
                ? Design.optimistic(Integer.parseInt(parts.group("window")), workers)
                : Design.pessimistic(
                        parts.group("mark").equals("1"),
                        parts.group("fetch").equals("1"),
                        Integer.parseInt(parts.group("tries")));
        if (parts.group("index") != null) {
            design = design.index(
                    parts.group("index").toLowerCase(Locale.ROOT).equals("-noindex")
                            ? Design.Index.NONE
                            : Design.Index.LEGACY_54);
        }
        design = parts.group("skip") == null ? design : design.skippingLocked();
        design = parts.group("planner") == null ? design : design.unforced();
        design = parts.group("fresh") == null ? design : design.notAnalyzed();
        design = parts.group("alone") == null ? design : design.ofOneQueue();
        return parts.group("clones") == null ? design : design.cloning(Double.parseDouble(parts.group("clones")));
    }
}
