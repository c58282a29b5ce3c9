package dev.pawl.lab.report;

import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.run.Cell;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Formats numbers and names for people. */
public final class Formats {
    private Formats() {}

    /** {@return the number, rounded to about three significant digits: "12,300", "450", "45.7" or "6.79"} */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        if (value >= 10_000) {
            return String.format(Locale.ROOT, "%,d", Math.round(value / 100) * 100);
        }
        if (value >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    }

    /** {@return a number of things, rounded to a tenth} */
    static String count(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%,.1f", value);
    }

    static String number(Optional<Summary> summary) {
        return summary.map(known -> number(known.median())).orElse("–");
    }

    /** {@return the number; a dash for null} */
    public static String number(@Nullable Double value) {
        return value == null ? "–" : number(value.doubleValue());
    }

    /** {@return one as a multiple of the other; a dash if either is unknown, or the other is zero} */
    static String ratio(@Nullable Double one, @Nullable Double other) {
        return one == null || other == null || other == 0 ? "–" : number(one / other);
    }

    static String quarters(Summary summary) {
        return number(summary.q1()) + " … " + number(summary.q3());
    }

    /** {@return the name of a system for people: Pawl's strategies are marked as Pawl's} */
    static String system(String system) {
        return Contenders.family(system) == Contenders.Family.PAWL ? "Pawl " + system : system;
    }

    /** {@return the system, with the values that distinguish this cell from similar ones} */
    static String row(Group group, List<Group> others) {
        Cell cell = group.cell();
        StringBuilder row = new StringBuilder(system(cell.system()));
        if (differs(others, other -> other.workers() != cell.workers())) {
            row.append(", ").append(cell.workers()).append(" workers");
        }
        if (cell.processes() > 0) {
            row.append(", ").append(cell.processes()).append(" processes");
        }
        if (cell.batch() > 0) {
            row.append(", batch ").append(cell.batch());
        }
        if (differs(others, other -> other.jobs() != cell.jobs())) {
            row.append(", ").append(number(cell.jobs())).append(" jobs");
        }
        if (differs(others, other -> other.payloadBytes() != cell.payloadBytes())) {
            row.append(", ").append(cell.payloadBytes()).append(" B");
        }
        if (differs(others, other -> other.handlerMillis() != cell.handlerMillis())) {
            row.append(", ").append(cell.handlerMillis()).append(" ms");
        }
        if (cell.verify()) {
            row.append(", verified");
        }
        return row.append(run(group)).toString();
    }

    /** {@return the number of the group's run, as text; empty if the report has one run of its database} */
    static String run(Group group) {
        return group.run() == 0 ? "" : ", run " + group.run();
    }

    private static boolean differs(List<Group> others, java.util.function.Predicate<Cell> differently) {
        return others.stream().map(Group::cell).anyMatch(differently);
    }
}
