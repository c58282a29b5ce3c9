package dev.pawl.lab.report;

import dev.pawl.lab.run.Environment;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.List;

/** The environment of the measurements, and each system's setup. */
final class Provenance {
    private static final int DAY = "2026-01-01".length();

    private final Results results;

    Provenance(Results results) {
        this.results = results;
    }

    /** Names the last day of a run that was stopped and continued on another day. */
    private static String lastDay(LabFile file) {
        String last =
                file.trials().stream().map(Trial::at).max(String::compareTo).orElse("");
        boolean later = last.length() > DAY
                && !last.substring(0, DAY).equals(file.environment().at().substring(0, DAY));
        return later ? " until " + last : "";
    }

    Report.Section where() {
        List<Report.Table> tables = new ArrayList<>();
        List<List<String>> machine = new ArrayList<>();
        List<List<String>> servers = new ArrayList<>();
        List<List<String>> settings = new ArrayList<>();
        List<List<String>> left = new ArrayList<>();
        for (int number = 1; number <= results.files().size(); number++) {
            LabFile file = results.files().get(number - 1);
            String run = results.files().size() == 1 ? "" : "run " + number + ": ";
            Environment on = file.environment();
            machine.add(List.of(run + "command", file.command()));
            machine.add(List.of(
                    run + "run",
                    on.at() + lastDay(file) + ", Pawl " + on.commit() + ", "
                            + file.trials().size() + " of "
                            + file.plan().cells().size() * file.plan().rounds() + " trials done"));
            machine.add(List.of(
                    run + "machine",
                    on.cpu() + ", " + on.cores() + " cores for clients and embedded servers together, " + on.memoryMiB()
                            + " MiB; " + on.system()));
            machine.add(List.of(run + "Java", on.java() + ", heap up to " + on.heapMiB() + " MiB " + on.javaOptions()));
            machine.add(List.of(
                    run + "disk",
                    on.disk() + ", fsync of a small write " + Formats.number(on.fsyncMicros())
                            + " µs (temporary folder)"));
            file.targets()
                    .forEach((name, facts) -> servers.add(List.of(
                            run + name,
                            facts.version(),
                            facts.variables().entrySet().stream()
                                    .map(one -> one.getKey() + "=" + one.getValue())
                                    .reduce((one, other) -> one + ", " + other)
                                    .orElse("–"))));
            file.settings().forEach((system, words) -> settings.add(List.of(run + system, words)));
            file.skipped().forEach(why -> left.add(List.of(run + why)));
        }
        tables.add(new Report.Table("Machine and run", List.of("", ""), machine));
        tables.add(new Report.Table("Databases", List.of("", "version", "settings"), servers));
        if (!settings.isEmpty()) {
            tables.add(new Report.Table("How each was set up", List.of("", "settings"), settings));
        }
        if (!left.isEmpty()) {
            tables.add(new Report.Table("Left out", List.of("why"), left));
        }
        List<List<String>> failures = results.groups().stream()
                .flatMap(group -> group.trials().stream())
                .filter(trial -> trial.failure() != null)
                .map(trial -> List.of(trial.cell().text(), String.valueOf(trial.failure())))
                .distinct()
                .toList();
        if (!failures.isEmpty()) {
            tables.add(new Report.Table("Failed", List.of("", "why"), failures));
        }
        return new Report.Section("Where and how", "Everything needed to repeat the run.", tables, List.of());
    }
}
