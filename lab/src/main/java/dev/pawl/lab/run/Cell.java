package dev.pawl.lab.run;

/**
 * One point of the matrix: what is measured, of what, and how. Its repetitions are trials.
 *
 * @param measure what is measured
 * @param database name of the target
 * @param system name of the contender
 * @param workers handlers at once
 * @param processes that they are spread over; 0 for threads of the lab
 * @param jobs how many; for {@link Measure#LOAD} how many wait at any moment
 * @param batch most jobs of one claim; 0 for the contender's default
 * @param payloadBytes of a job, about
 * @param handlerMillis how long a handler sleeps; 0 for one that does nothing
 * @param hindrance what is in the way
 * @param verify whether each execution is written to the protocol table, as in the study
 * @param rate of arrivals in a second, for {@link Measure#LATENCY}; else 0
 */
public record Cell(
        Measure measure,
        String database,
        String system,
        int workers,
        int processes,
        int jobs,
        int batch,
        int payloadBytes,
        int handlerMillis,
        Hindrance hindrance,
        boolean verify,
        int rate) {
    /** What is measured. */
    public enum Measure {
        /** How fast a backlog is written, and run until nothing is left. */
        DRAIN,
        /** How long single jobs take from enqueue to their start and their end, at a steady rate of arrivals. */
        LATENCY,
        /** How long the jobs of a worker that was killed lie until another runs them. */
        RECOVERY,
        /** How many jobs come and go at once, for a given time, while the queue always holds so many. */
        LOAD
    }

    /** What is in the way while it is measured. */
    public enum Hindrance {
        /** Nothing. */
        NONE,
        /** A transaction of somebody else stays open, so that dead rows cannot be removed. */
        HELD_SNAPSHOT,
        /** Jobs that are due only in an hour lie in the same table. */
        DELAYED,
        /** Millions of jobs of the same queue wait behind those that are measured. */
        BACKLOG,
        /** The server does not look for deadlocks; MySQL and MariaDB only. */
        NO_DETECTION
    }

    /** {@return the recovery of a Pawl worker that is killed with so many jobs in hand} */
    static Cell recovery(String database, String system, int jobs) {
        return new Cell(Measure.RECOVERY, database, system, jobs, 0, jobs, 0, 0, 0, Hindrance.NONE, false, 0);
    }

    /** {@return the latency at so many arrivals in a second, over some seconds} */
    static Cell latency(String database, String system, int workers, int payloadBytes, int rate, int seconds) {
        return new Cell(
                Measure.LATENCY,
                database,
                system,
                workers,
                0,
                rate * seconds,
                0,
                payloadBytes,
                0,
                Hindrance.NONE,
                false,
                rate);
    }

    /** {@return a small drain of the same system on the same database} */
    Cell warmUp(int someJobs) {
        return new Cell(
                Measure.DRAIN,
                database,
                system,
                workers,
                0,
                someJobs,
                batch,
                payloadBytes,
                0,
                Hindrance.NONE,
                verify,
                0);
    }

    /** {@return the same with something else in the way} */
    public Cell with(Hindrance other) {
        return new Cell(
                measure,
                database,
                system,
                workers,
                processes,
                jobs,
                batch,
                payloadBytes,
                handlerMillis,
                other,
                verify,
                rate);
    }

    /** {@return the same of another system, which has batches of its own} */
    public Cell of(String otherSystem) {
        return new Cell(
                measure,
                database,
                otherSystem,
                workers,
                processes,
                jobs,
                0,
                payloadBytes,
                handlerMillis,
                hindrance,
                verify,
                rate);
    }

    /** {@return the same of another of Pawl's strategies, with the same batches} */
    public Cell by(String strategy) {
        return new Cell(
                measure,
                database,
                strategy,
                workers,
                processes,
                jobs,
                batch,
                payloadBytes,
                handlerMillis,
                hindrance,
                verify,
                rate);
    }

    /** {@return the cell in a few words} */
    public String text() {
        StringBuilder text = new StringBuilder(database + " " + system);
        if (measure != Measure.DRAIN) {
            text.append(' ').append(measure.name().toLowerCase(java.util.Locale.ROOT));
        }
        if (hindrance != Hindrance.NONE) {
            text.append(' ').append(hindrance.name().toLowerCase(java.util.Locale.ROOT));
        }
        text.append(", ").append(workers).append(" workers");
        if (processes > 0) {
            text.append(" in ").append(processes).append(" processes");
        }
        if (batch > 0) {
            text.append(", batch ").append(batch);
        }
        if (handlerMillis > 0) {
            text.append(", ").append(handlerMillis).append(" ms");
        }
        return text.append(verify ? ", verified" : "").toString();
    }
}
