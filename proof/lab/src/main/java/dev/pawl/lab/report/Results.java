package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The content of several files. Trials of one cell are repetitions only if they were made under the same
 * {@link Conditions}: a median over two machines would be the result of neither.
 *
 * @param files at least one
 * @param groups the trials of each cell under the same conditions, in the order of the plans
 */
record Results(List<LabFile> files, List<Group> groups) {
    /** A row of the report. */
    private record Key(Cell cell, Conditions conditions) {}

    /** The identity of a trial. */
    private record Once(Cell cell, int round, String at, Trial.@Nullable Drained drained, Trial.@Nullable Box box) {}

    static Results of(List<LabFile> files) {
        Map<Key, List<Trial>> trials = new LinkedHashMap<>();
        Map<Conditions, Integer> firstFile = new LinkedHashMap<>();
        Set<Once> seen = new HashSet<>(); // the same file may be given twice, or with an earlier, shorter copy
        for (int number = 1; number <= files.size(); number++) {
            LabFile file = files.get(number - 1);
            for (Cell cell : file.plan().cells()) {
                Conditions conditions = Conditions.of(file, cell);
                firstFile.putIfAbsent(conditions, number);
                trials.computeIfAbsent(new Key(cell, conditions), key -> new ArrayList<>());
            }
            file.trials().stream()
                    .filter(trial ->
                            seen.add(new Once(trial.cell(), trial.round(), trial.at(), trial.drained(), trial.box())))
                    .forEach(trial -> trials.computeIfAbsent(
                                    new Key(trial.cell(), Conditions.of(file, trial.cell())), key -> new ArrayList<>())
                            .add(trial));
        }
        trials.values().removeIf(List::isEmpty);
        List<Group> groups = new ArrayList<>();
        trials.forEach((key, own) -> groups.add(new Group(
                key.cell(),
                key.conditions(),
                isAlone(key, trials) ? 0 : firstFile.getOrDefault(key.conditions(), 0),
                List.copyOf(own))));
        return new Results(List.copyOf(files), groups);
    }

    /** {@return whether all measurements on its database were made under the same conditions} */
    private static boolean isAlone(Key key, Map<Key, List<Trial>> trials) {
        return trials.keySet().stream()
                .filter(other -> other.cell().database().equals(key.cell().database()))
                .allMatch(other -> other.conditions().areThoseOf(key.conditions())
                        && (other.conditions().equals(key.conditions())
                                || !other.cell().equals(key.cell())));
    }

    List<Group> of(Cell.Measure measure) {
        return groups.stream()
                .filter(group -> group.cell().measure() == measure)
                .toList();
    }

    /** {@return backlogs without a disturbance} */
    List<Group> plainDrains() {
        return of(Cell.Measure.DRAIN).stream()
                .filter(group -> group.cell().hindrance() == Cell.Disturbance.NONE)
                .toList();
    }

    List<String> databases() {
        return groups.stream().map(group -> group.cell().database()).distinct().toList();
    }

    /**
     * {@return the numbers of the runs that the report distinguishes; empty if each database was measured under the same conditions
     * throughout}
     */
    List<Integer> runs() {
        TreeSet<Integer> runs = new TreeSet<>();
        groups.stream().map(Group::run).filter(run -> run > 0).forEach(runs::add);
        return List.copyOf(runs);
    }
}
