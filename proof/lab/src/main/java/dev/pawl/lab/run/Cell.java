package dev.pawl.lab.run;

/**
 * One point of the matrix. Its repetitions are trials.
 *
 * @param measure what to measure
 * @param database name of the target
 * @param system name of the contender
 * @param workers number of handlers
 * @param processes over which the handlers are distributed; 0 for threads of the lab
 * @param jobs number of jobs; for {@link Measure#LOAD} the constant number of waiting jobs
 * @param batch maximum jobs per claim; 0 for the contender's default
 * @param payloadBytes approximate size of a job's payload
 * @param handlerMillis how long a handler sleeps; 0 for one that does nothing
 * @param hindrance the disturbance; result files use the name hindrance for it
 * @param verify whether each execution is written to the protocol table, as in the study
 * @param rate arrivals per second, for {@link Measure#LATENCY}; otherwise 0
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
        Disturbance hindrance,
        boolean verify,
        int rate) {
    /** What to measure. */
    public enum Measure {
        /** How fast a backlog is enqueued and drained. */
        DRAIN,
        /** How long single jobs take from enqueue to their start and their end, at a constant arrival rate. */
        LATENCY,
        /** How long the jobs of a killed worker wait until another worker runs them. */
        RECOVERY,
        /** Throughput of enqueues and runs over a given time, while the queue always holds a number of jobs. */
        LOAD
    }

    /** An adverse condition during the measurement. */
    public enum Disturbance {
        /** Nothing. */
        NONE,
        /** Another transaction stays open, so that dead rows cannot be removed. */
        HELD_SNAPSHOT,
        /** The table also contains jobs that are due only in an hour. */
        DELAYED,
        /** Millions of jobs of the same queue wait behind the measured ones. */
        BACKLOG,
        /** The server's deadlock detection is off; MySQL and MariaDB only. */
        NO_DETECTION
    }

    /** {@return the cell that measures recovery after the kill of a Pawl worker with this many running jobs} */
    static Cell recovery(String database, String system, int jobs) {
        return new Cell(Measure.RECOVERY, database, system, jobs, 0, jobs, 0, 0, 0, Disturbance.NONE, false, 0);
    }

    /** {@return the latency at a number of arrivals per second, over some seconds} */
    static Cell latency(
            String database, String system, int workers, int processes, int payloadBytes, int rate, int seconds) {
        return new Cell(
                Measure.LATENCY,
                database,
                system,
                workers,
                processes,
                rate * seconds,
                0,
                payloadBytes,
                0,
                Disturbance.NONE,
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
                Disturbance.NONE,
                verify,
                0);
    }

    /** {@return a copy with another disturbance} */
    public Cell with(Disturbance other) {
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

    /** {@return a copy for another system, with that system's default batch} */
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

    /** {@return a copy for another of Pawl's strategies, with the same batches} */
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

    /** {@return the cell as short text} */
    public String text() {
        StringBuilder text = new StringBuilder(database + " " + system);
        if (measure != Measure.DRAIN) {
            text.append(' ').append(measure.name().toLowerCase(java.util.Locale.ROOT));
        }
        if (hindrance != Disturbance.NONE) {
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
