package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * No more handlers start within any span than a rate allows. A job uses up as many starts as it costs, but never more than the rate. Spans
 * in which all threads stood still are not checked, because the times of starts are uncertain.
 */
final class RateHolds implements Promise {
    /**
     * The longest time from the permit of a start to the handler's first line. If a rate is not kept, starts are too early by much more.
     */
    private static final long SLACK = Duration.ofMillis(50).toNanos();

    private final Predicate<Job> isConcerned;
    private final int starts;
    private final long perNanos;

    RateHolds(Predicate<Job> isConcerned, int starts, Duration per) {
        this.isConcerned = isConcerned;
        this.starts = starts;
        this.perNanos = per.toNanos();
    }

    @Override
    public List<String> brokenBy(History history) {
        List<Run> runs = history.runs.stream()
                .filter(run -> isConcerned.test(run.job()))
                .sorted(Comparator.comparingLong(run -> run.span().from()))
                .toList();
        List<String> broken = new ArrayList<>();
        int first = 0;
        int began = 0;
        for (Run run : runs) {
            long at = run.span().from();
            began += cost(run);
            while (at - runs.get(first).span().from() >= perNanos - SLACK) {
                began -= cost(runs.get(first));
                first++;
            }
            if (began > starts && !stoodStill(history, runs.get(first).span().from(), at)) {
                broken.add(began + " of " + starts + " starts were taken within "
                        + Duration.ofNanos(at - runs.get(first).span().from()) + ", the last one by " + run.lease()
                        + " of kind " + run.job().kind());
            }
        }
        return broken;
    }

    private int cost(Run run) {
        return Math.min(run.job().cost(), starts);
    }

    private static boolean stoodStill(History history, long from, long to) {
        return history.stalls.stream()
                .anyMatch(stall -> stall.to() - stall.from() > SLACK
                        && stall.from() <= to
                        && stall.to() >= from - (stall.to() - stall.from()));
    }
}
