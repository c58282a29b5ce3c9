package dev.pawl.lab.command;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import dev.pawl.lab.run.Matrix;
import dev.pawl.lab.study.Designs;
import java.util.List;

/** Named matrices. */
final class Presets {
    /** For the study, and for runs without a preset. */
    static final int STUDY_ROUNDS = 10;

    /** Few, because ten million jobs are written for each. */
    static final int BACKLOG_ROUNDS = 2;

    /** Enough to show the spread. */
    static final int BATCH_ROUNDS = 5;

    private static final int PAYLOAD = 60;
    private static final int WORKERS = 10;
    private static final int STUDY_JOBS = 10_000;
    private static final int BLIND_JOBS = 50;

    private Presets() {}

    /** A sample of everything, in about five minutes. */
    static List<Matrix> quick(List<String> databases) {
        return List.of(
                drains(databases, List.of("auto", "pessimistic"), 10, 20_000, List.of(0), false),
                drains(
                        databases,
                        List.of("optimistic", "DBP-0-0-5", "DBP-0-1-1", "DBO-0", "DBO-1"),
                        10,
                        500,
                        List.of(0),
                        false),
                drains(
                        databases.subList(0, 1),
                        List.of("auto", "db-scheduler", "jobrunr", "quartz"),
                        10,
                        1_000,
                        List.of(0),
                        false),
                measured(databases, List.of("auto"), Measure.LATENCY, 2),
                measured(databases.subList(0, 1), List.of("auto"), Measure.RECOVERY, 2));
    }

    /**
     * The study: its designs, ten workers, ten thousand jobs. Runs without the protocol table give the rates, and runs with it the order of
     * jobs and repeated jobs.
     */
    static List<Matrix> study(List<String> databases) {
        return List.of(
                drains(databases, Designs.all(), WORKERS, STUDY_JOBS, List.of(0), false),
                drains(databases, Designs.withProtocol(), WORKERS, STUDY_JOBS, List.of(0), true));
    }

    /** The study in other settings: other reads, other deletes, a server without deadlock detection. */
    static List<Matrix> studySettings(List<String> databases) {
        Matrix blind = drains(
                databases,
                List.of("DBP-0-1-1", "DBP-0-0-5", "DBP-1-0-1", "DBP-0-0-5-noindex", "DBO-1", "DBP-0-0-5-skip"),
                WORKERS,
                BLIND_JOBS,
                List.of(0),
                false);
        return List.of(
                drains(databases, Designs.inOtherSettings(), WORKERS, STUDY_JOBS, List.of(0), false),
                blind.with(List.of(Disturbance.NONE, Disturbance.NO_DETECTION)));
    }

    /** Pawl and the other libraries, with handlers that do nothing or take a millisecond; slow libraries get fewer jobs. */
    static List<Matrix> peers(List<String> databases) {
        List<Integer> handlerMillis = List.of(0, 1);
        return List.of(
                drains(databases, List.of("auto", "db-scheduler"), 20, 50_000, handlerMillis, false),
                drains(databases, List.of("auto", "jobrunr", "quartz"), 20, 10_000, handlerMillis, false),
                measured(databases, List.of("auto", "db-scheduler", "jobrunr", "quartz"), Measure.LATENCY, 5));
    }

    /** A full queue, with and without a long open transaction. */
    static List<Matrix> underSnapshot(List<String> databases) {
        return List.of(of(
                databases,
                List.of("auto", "rows", "db-scheduler", "jobrunr"),
                10_000,
                0,
                Measure.LOAD,
                List.of(Disturbance.NONE, Disturbance.HELD_SNAPSHOT)));
    }

    /** Jobs alone, and jobs in front of a backlog. */
    static List<Matrix> behindBacklog(List<String> databases) {
        return List.of(of(
                databases, List.of("auto"), 300_000, 0, Measure.DRAIN, List.of(Disturbance.NONE, Disturbance.BACKLOG)));
    }

    /**
     * Claims of one job and of ten jobs, because workers with slow jobs claim so few. The number of jobs is chosen so that each trial takes
     * some seconds.
     */
    static List<Matrix> smallBatches(List<String> databases) {
        List<String> both = List.of("auto", "rows");
        return List.of(
                of(databases, both, 5_000, 1, Measure.DRAIN, List.of(Disturbance.NONE)),
                of(databases, both, 30_000, 10, Measure.DRAIN, List.of(Disturbance.NONE)));
    }

    private static Matrix of(
            List<String> databases,
            List<String> systems,
            int jobs,
            int batch,
            Measure measure,
            List<Disturbance> disturbances) {
        return new Matrix(
                databases,
                systems,
                List.of(WORKERS),
                List.of(0),
                List.of(jobs),
                List.of(batch),
                List.of(PAYLOAD),
                List.of(0),
                List.of(measure),
                disturbances,
                false,
                List.of(100),
                1);
    }

    /** The matrix of {@code pawl lab advise}. */
    static List<Matrix> advice(String database, int jobs) {
        return List.of(
                drains(
                        List.of(database),
                        List.of("auto", "optimistic", "pessimistic", "pessimistic:delete-mark=yes"),
                        10,
                        jobs,
                        List.of(0),
                        false),
                new Matrix(
                        List.of(database),
                        List.of("auto"),
                        List.of(10),
                        List.of(0),
                        List.of(jobs),
                        List.of(1, 10, 100),
                        List.of(PAYLOAD),
                        List.of(0),
                        List.of(Measure.DRAIN),
                        List.of(Disturbance.NONE),
                        false,
                        List.of(100),
                        1),
                drains(List.of(database), List.of("transactional"), 10, Math.max(1, jobs / 10), List.of(0), false),
                measured(List.of(database), List.of("auto"), Measure.LATENCY, 3));
    }

    private static Matrix drains(
            List<String> databases,
            List<String> systems,
            int workers,
            int jobs,
            List<Integer> handlerMillis,
            boolean verify) {
        return new Matrix(
                databases,
                systems,
                List.of(workers),
                List.of(0),
                List.of(jobs),
                List.of(0),
                List.of(PAYLOAD),
                handlerMillis,
                List.of(Measure.DRAIN),
                List.of(Disturbance.NONE),
                verify,
                List.of(100),
                1);
    }

    private static Matrix measured(List<String> databases, List<String> systems, Cell.Measure measure, int seconds) {
        return new Matrix(
                databases,
                systems,
                List.of(10),
                List.of(0),
                List.of(1),
                List.of(0),
                List.of(PAYLOAD),
                List.of(0),
                List.of(measure),
                List.of(Disturbance.NONE),
                false,
                List.of(100),
                seconds);
    }
}
