package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What several files hold.
 *
 * @param files at least one
 * @param groups the trials of each cell, in the order of the plans
 */
record Results(List<LabFile> files, List<Group> groups) {
    static Results of(List<LabFile> files) {
        Map<Cell, List<Trial>> trials = new LinkedHashMap<>();
        for (LabFile file : files) {
            file.plan().cells().forEach(cell -> trials.computeIfAbsent(cell, key -> new ArrayList<>()));
            file.trials()
                    .forEach(trial -> trials.computeIfAbsent(trial.cell(), key -> new ArrayList<>())
                            .add(trial));
        }
        List<Group> groups = new ArrayList<>();
        trials.forEach((cell, own) -> {
            if (!own.isEmpty()) {
                groups.add(new Group(cell, List.copyOf(own)));
            }
        });
        return new Results(List.copyOf(files), groups);
    }

    List<Group> of(Cell.Measure measure) {
        return groups.stream()
                .filter(group -> group.cell().measure() == measure)
                .toList();
    }

    /** {@return backlogs with nothing in the way} */
    List<Group> plainDrains() {
        return of(Cell.Measure.DRAIN).stream()
                .filter(group -> group.cell().hindrance() == Cell.Hindrance.NONE)
                .toList();
    }

    List<String> databases() {
        return groups.stream().map(group -> group.cell().database()).distinct().toList();
    }
}
