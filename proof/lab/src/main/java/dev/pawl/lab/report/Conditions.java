package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Environment;
import dev.pawl.lab.run.LabFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that must be equal before two trials of a cell count as repetitions of one measurement.
 *
 * @param commit of Pawl
 * @param machine its processor, cores, memory and system
 * @param java version and options of the lab's process
 * @param disk that embedded servers write to
 * @param target the database with its version and settings; null if the file does not contain it
 * @param settings of the measured system; empty if it never ran
 * @param rest the rest of the plan: warm-up, disturbances, length of leases
 */
record Conditions(
        String commit,
        String machine,
        String java,
        String disk,
        LabFile.@Nullable TargetFacts target,
        String settings,
        String rest) {
    static final String SETTINGS = "settings of the system";

    static Conditions of(LabFile file, Cell cell) {
        Environment on = file.environment();
        LabFile.Plan plan = file.plan();
        return new Conditions(
                on.commit(),
                on.cpu() + ", " + on.cores() + " cores, " + on.memoryMiB() + " MiB, " + on.system(),
                on.java() + ", heap " + on.heapMiB() + " MiB " + on.javaOptions(),
                on.disk(),
                file.targets().get(cell.database()),
                file.settings().getOrDefault(cell.database() + "/" + cell.system(), ""),
                plan.warmUp() + " jobs of warm-up, " + plan.delayed() + " delayed, leases of " + plan.leaseMillis()
                        + " ms" + (plan.backlog() == null ? "" : ", a backlog of " + plan.backlog())
                        + (plan.loadSeconds() == null ? "" : ", load for " + plan.loadSeconds() + " s")
                        + (plan.settleSeconds() == null
                                ? ""
                                : ", servers settled for up to " + plan.settleSeconds() + " s"));
    }

    /** {@return the differences as text; empty if both are the same} */
    List<String> differences(Conditions other) {
        List<String> differences = new ArrayList<>();
        differ(differences, "Pawl's commit", commit, other.commit);
        differ(differences, "machine", machine, other.machine);
        differ(differences, "Java", java, other.java);
        differ(differences, "disk", disk, other.disk);
        differ(differences, "version of server or driver", version(), other.version());
        differ(differences, "settings of the server", variables(), other.variables());
        differ(differences, SETTINGS, settings, other.settings);
        differ(differences, "plan", rest, other.rest);
        return differences;
    }

    private static void differ(List<String> differences, String what, @Nullable Object one, @Nullable Object other) {
        if (!Objects.equals(one, other)) {
            differences.add(what);
        }
    }

    private @Nullable String version() {
        return target == null ? null : target.version();
    }

    private @Nullable Object variables() {
        return target == null ? null : target.variables();
    }

    /** {@return whether everything is equal except the settings, which differ between systems} */
    boolean areThoseOf(Conditions other) {
        return commit.equals(other.commit) && areComparable(other);
    }

    /**
     * {@return whether a ratio of two runs of Pawl is meaningful: everything is equal except Pawl itself and the
     * description of its setup}
     */
    boolean areComparable(Conditions other) {
        return new Conditions("", machine, java, disk, target, "", rest)
                .equals(new Conditions("", other.machine, other.java, other.disk, other.target, "", other.rest));
    }
}
