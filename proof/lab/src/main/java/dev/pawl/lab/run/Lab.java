package dev.pawl.lab.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.Secrets;
import dev.pawl.lab.database.ServerLocation;
import dev.pawl.lab.database.ServerProbe;
import dev.pawl.lab.database.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Runs a plan: first a warm-up of each system on each database, then round after round of all cells, so that other load
 * on the machine affects all alike. The file is written after each trial, so that results are kept however the run
 * ends.
 */
public final class Lab {
    private static final int STUDY_WARM_UP = 20;
    private static final int MAX_FAILED_IN_A_ROW = 12;

    private final Path file;
    private final Map<String, Target> targets;
    private LabFile state;
    private volatile boolean stopping;

    private Lab(Path file, Map<String, Target> targets, LabFile state) {
        this.file = file;
        this.targets = targets;
        this.state = state;
    }

    /** The progress of a run. */
    public interface Watcher {
        /** Reports the current activity. */
        void doing(int done, int all, String what);

        /** Reports the end of a trial. */
        void done(int done, int all, Trial trial);
    }

    /**
     * Creates a run of a matrix.
     *
     * @param file to write
     * @param command that requested it, for the record
     * @param matrices to measure
     * @param rounds repetitions
     * @param warmUp jobs of a warm-up
     * @param delayed number of jobs of {@link Cell.Disturbance#DELAYED}
     * @param leaseMillis of workers that are killed
     * @param backlog number of jobs of {@link Cell.Disturbance#BACKLOG}
     * @param loadSeconds duration of {@link Cell.Measure#LOAD}
     * @param settleSeconds maximum time for servers to settle before a drain; 0 for none
     * @return the run, not started
     * @throws SQLException if a database cannot be reached
     */
    public static Lab of(
            Path file,
            String command,
            List<Matrix> matrices,
            int rounds,
            int warmUp,
            int delayed,
            long leaseMillis,
            int backlog,
            int loadSeconds,
            int settleSeconds)
            throws SQLException {
        Map<String, Target> targets = new LinkedHashMap<>();
        Map<String, LabFile.TargetFacts> facts = new LinkedHashMap<>();
        Set<Cell> cells = new LinkedHashSet<>();
        Set<String> skipped = new LinkedHashSet<>();
        for (Matrix matrix : matrices) {
            for (String text : matrix.databases()) {
                Target target = Target.of(text);
                if (targets.putIfAbsent(target.name(), target) == null) {
                    facts.put(target.name(), facts(target));
                }
                Matrix.Expanded expanded = matrix.on(target.name(), target.product());
                cells.addAll(expanded.cells());
                skipped.addAll(expanded.skipped());
            }
        }
        LabFile.Plan plan = new LabFile.Plan(
                List.copyOf(cells),
                rounds,
                warmUp,
                delayed,
                leaseMillis,
                cells.stream().anyMatch(cell -> cell.hindrance() == Cell.Disturbance.BACKLOG) ? backlog : null,
                cells.stream().anyMatch(cell -> cell.measure() == Cell.Measure.LOAD) ? loadSeconds : null,
                settleSeconds > 0 ? settleSeconds : null);
        return new Lab(
                file,
                targets,
                new LabFile(
                        LabFile.FORMAT,
                        command,
                        Environment.here(),
                        facts,
                        Map.of(),
                        plan,
                        List.copyOf(skipped),
                        List.of(),
                        List.of()));
    }

    /**
     * Continues a run that was stopped.
     *
     * @param file that it has written
     * @param databases the URLs that were given to the run, needed again because files contain no passwords
     * @return the run
     * @throws IOException if the file is not valid
     * @throws SQLException if a database cannot be reached
     * @throws IllegalArgumentException if a URL is missing, or the environment differs: another machine, Java, commit
     *     or server
     */
    public static Lab resume(Path file, List<String> databases) throws IOException, SQLException {
        Map<String, Target> targets = new LinkedHashMap<>();
        for (String text : databases) {
            Target target = Target.of(text);
            targets.put(target.name(), target);
        }
        if (file.toString().endsWith(".gz")) {
            throw new IllegalArgumentException(file + " is compressed: unpack it with gunzip, and continue that file");
        }
        LabFile state = LabFile.read(file);
        for (String name : state.targets().keySet()) {
            if (Target.EMBEDDED.contains(name)) {
                targets.putIfAbsent(name, Target.of(name));
            } else if (!targets.containsKey(name)) {
                throw new IllegalArgumentException(
                        file + " was measured on '" + name + "', and files contain no URLs: give it again with --db");
            }
        }
        if (state.trials().isEmpty()) {
            return new Lab(file, targets, begunHere(state, targets));
        }
        requireSame(file, state, targets);
        return new Lab(file, targets, state);
    }

    /** Returns the state of a run that was stopped before its first trial, with the current environment as the run's own. */
    private static LabFile begunHere(LabFile state, Map<String, Target> targets) throws SQLException {
        Map<String, LabFile.TargetFacts> facts = new LinkedHashMap<>();
        for (String name : state.targets().keySet()) {
            facts.put(name, facts(Objects.requireNonNull(targets.get(name))));
        }
        return new LabFile(
                state.format(),
                state.command(),
                Environment.here(),
                facts,
                Map.of(),
                state.plan(),
                state.skipped(),
                List.of(),
                List.of());
    }

    private static void requireSame(Path file, LabFile state, Map<String, Target> targets) throws SQLException {
        List<String> differences = state.environment().differences(Environment.here());
        for (Map.Entry<String, LabFile.TargetFacts> known : state.targets().entrySet()) {
            Target target = targets.get(known.getKey());
            if (target != null && !facts(target).equals(known.getValue())) {
                differences.add("version or settings of " + known.getKey());
            }
        }
        if (!differences.isEmpty()) {
            throw new IllegalArgumentException(file + " cannot be continued here, since it was begun with another "
                    + String.join(", another ", differences)
                    + ": begin a run of its own, and give both files to 'pawl lab report'");
        }
    }

    private static LabFile.TargetFacts facts(Target target) throws SQLException {
        try (Scratch scratch = target.scratch();
                HikariDataSource pool = scratch.pool(1)) {
            ServerProbe probe = new ServerProbe(scratch, pool);
            return new LabFile.TargetFacts(
                    target.product(),
                    probe.version(),
                    target.location().place() == ServerLocation.Place.LOCAL,
                    probe.variables());
        }
    }

    /** {@return the results so far} */
    public LabFile state() {
        return state;
    }

    /** {@return the total number of trials} */
    public int trials() {
        return state.plan().cells().size() * state.plan().rounds();
    }

    /**
     * Runs the trials that are missing or have failed.
     *
     * @param watcher receives the progress
     * @return the whole run
     * @throws IOException if the file cannot be written, or a whole round of at least a dozen trials has failed
     * @throws InterruptedException if interrupted; completed trials are kept
     */
    public LabFile run(Watcher watcher) throws IOException, InterruptedException {
        Thread hook = new Thread(() -> stopping = true, "lab-stops");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return runRounds(watcher);
        } finally {
            if (!stopping) {
                boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
    }

    private LabFile runRounds(Watcher watcher) throws IOException, InterruptedException {
        state = state.withoutFailures();
        state.write(file);
        Set<String> done = new HashSet<>();
        state.trials().forEach(trial -> done.add(key(trial.cell(), trial.round())));
        int failedInARow = 0;
        warmUp(done, what -> watcher.doing(done.size(), trials(), what));
        for (int round = 1; round <= state.plan().rounds(); round++) {
            for (Cell cell : state.plan().cells()) {
                if (!done.contains(key(cell, round))) {
                    watcher.doing(done.size(), trials(), cell.text());
                    Trial trial = measured(cell, round);
                    if (stopping) {
                        throw new InterruptedException("the program is being stopped: its servers may be gone already");
                    }
                    state = state.with(trial);
                    done.add(key(cell, round));
                    state.write(file);
                    watcher.done(done.size(), trials(), trial);
                    failedInARow = trial.failure() == null ? 0 : failedInARow + 1;
                    if (failedInARow
                            == Math.max(
                                    MAX_FAILED_IN_A_ROW, state.plan().cells().size())) {
                        throw new IOException(failedInARow + " trials in a row have failed, the last one with: "
                                + trial.failure() + ". What is done is kept: --resume " + file
                                + " measures the others and tries these again");
                    }
                }
            }
        }
        return state;
    }

    private static String key(Cell cell, int round) {
        return round + " " + cell;
    }

    /** Excludes compilation, the server's first reads and cold caches from the measurement. */
    private void warmUp(Set<String> done, Consumer<String> telling) throws InterruptedException {
        Set<String> warm = new HashSet<>();
        int rounds = state.plan().rounds();
        for (Cell cell : state.plan().cells()) {
            boolean needed = state.plan().warmUp() > 0
                    && IntStream.rangeClosed(1, rounds).anyMatch(round -> !done.contains(key(cell, round)));
            if (needed && !stopping && warm.add(cell.database() + " " + cell.system())) {
                int jobs = Contenders.isSlow(cell.system())
                        ? Math.max(1, state.plan().warmUp() / STUDY_WARM_UP)
                        : state.plan().warmUp();
                Cell small = cell.warmUp(jobs);
                telling.accept("warm-up: " + small.text());
                Trial unused = measured(small, 0);
            }
        }
    }

    /** Returns a failed trial as a result, too, so that the run continues. */
    private Trial measured(Cell cell, int round) throws InterruptedException {
        Target target = targets.get(cell.database());
        if (target == null) {
            throw new IllegalStateException("no target " + cell.database());
        }
        try {
            return switch (cell.measure()) {
                case DRAIN -> {
                    Drain drain = new Drain(target, cell, state.plan());
                    Trial trial = drain.run(round);
                    remember(cell, drain.settings());
                    if (drain.deadlock() != null) {
                        state = state.with(drain.deadlock());
                    }
                    yield trial;
                }
                case LATENCY -> {
                    LatencyTrial latency = new LatencyTrial(target, cell);
                    Trial trial = latency.run(round);
                    remember(cell, latency.settings());
                    yield trial;
                }
                case LOAD -> {
                    LoadTrial load = new LoadTrial(target, cell, state.plan());
                    Trial trial = load.run(round);
                    remember(cell, load.settings());
                    yield trial;
                }
                case RECOVERY -> RecoveryTrial.run(target, cell, state.plan(), round);
            };
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | OutOfMemoryError e) {
            return Trial.failed(cell, round, Secrets.hidden(String.valueOf(e.getMessage())));
        }
    }

    private void remember(Cell cell, String words) {
        state = state.with(cell.database() + "/" + cell.system(), words);
    }
}
