package dev.pawl.specification.concurrent;

import dev.pawl.specification.concurrent.History.Confided;
import dev.pawl.specification.concurrent.History.Erased;
import dev.pawl.specification.concurrent.History.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Erased jobs of a person leave nothing in any table, and do not run later; those of others stay. */
final class ErasedIsGone implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        Map<String, Erased> done = new HashMap<>();
        Set<String> asked = new HashSet<>();
        for (Erased erased : history.erased) {
            asked.add(erased.name());
            if (erased.isDone()) {
                done.putIfAbsent(erased.name(), erased);
            }
        }
        Map<Long, List<Run>> runs = history.runsByJob();
        Set<Run> accepted = new HashSet<>(history.accepted());
        for (Confided confided : history.confided) {
            Erased erased = done.get(confided.name());
            String trace = history.traces.get(confided.name());
            if (erased == null && asked.contains(confided.name())) {
                broken.add("the jobs of " + confided.name() + " were not erased in the end");
            } else if (erased == null && trace == null) {
                broken.add("nothing is left of " + confided + ", although it was not erased");
            } else if (erased != null && trace != null) {
                broken.add(confided + " was erased, but is still in " + trace);
            }
            if (erased != null) {
                runs.getOrDefault(confided.job(), List.of()).stream()
                        .filter(accepted::contains)
                        .filter(run -> erased.span().isBefore(run.span()))
                        .forEach(run -> broken.add(run.lease() + " ran after it was erased, of " + confided));
            }
        }
        return broken;
    }
}
