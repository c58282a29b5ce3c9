package dev.pawl.lab.run;

import dev.pawl.lab.contender.Contenders;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The requested values, in all combinations.
 *
 * @param databases names or URLs of targets
 * @param systems names of contenders
 * @param workers numbers of handlers
 * @param processes over which the handlers are distributed; 0 for threads
 * @param jobs of a backlog
 * @param batches maximum jobs per claim; 0 for the contender's default
 * @param payloadBytes of a job
 * @param handlerMillis of a handler
 * @param measures what to measure
 * @param disturbances adverse conditions. With {@link Cell.Measure#DRAIN}, all of them apply to Pawl's strategies, only disabled deadlock
 *     detection to the study's designs, and none to other systems. With {@link Cell.Measure#LOAD}, which the study's designs and brokers do
 *     not have, the only one that applies is an open transaction. With other measures, none applies
 * @param verify whether executions are written to the protocol table
 * @param rates arrivals per second, for {@link Cell.Measure#LATENCY}
 * @param latencySeconds duration of the arrivals
 */
public record Matrix(
        List<String> databases,
        List<String> systems,
        List<Integer> workers,
        List<Integer> processes,
        List<Integer> jobs,
        List<Integer> batches,
        List<Integer> payloadBytes,
        List<Integer> handlerMillis,
        List<Cell.Measure> measures,
        List<Cell.Disturbance> disturbances,
        boolean verify,
        List<Integer> rates,
        int latencySeconds) {
    private static final int HELD_BY_VICTIM = 10;

    /**
     * The cells of a matrix, and those that cannot be measured.
     *
     * @param cells to measure, without duplicates
     * @param skipped reasons why others are omitted, one line each
     */
    public record Expanded(List<Cell> cells, List<String> skipped) {}

    /** {@return a copy with other disturbances} */
    public Matrix with(List<Cell.Disturbance> others) {
        return new Matrix(
                databases,
                systems,
                workers,
                processes,
                jobs,
                batches,
                payloadBytes,
                handlerMillis,
                measures,
                others,
                verify,
                rates,
                latencySeconds);
    }

    /**
     * @param database name of a target
     * @param product of its database
     * @return its cells
     */
    Expanded on(String database, String product) {
        Set<Cell> cells = new LinkedHashSet<>();
        Set<String> skipped = new LinkedHashSet<>();
        for (String system : systems) {
            String refusal = Contenders.refusal(system, product).orElse(null);
            if (refusal != null) {
                skipped.add(database + ": " + refusal);
                continue;
            }
            Contenders.Family family = Contenders.family(system);
            for (Cell.Measure measure : measures) {
                switch (measure) {
                    case DRAIN -> drains(database, product, system, family, cells, skipped);
                    case LATENCY -> {
                        if (family == Contenders.Family.STUDY) {
                            skipped.add(database + ": no latency of " + system + ", whose workers sleep when idle");
                        } else {
                            if (isMoreThanPlain()) {
                                skipped.add(database + ": latencies are measured of handlers that do nothing, without a"
                                        + " disturbance, regardless of other options");
                            }
                            latencies(database, system, family, cells);
                        }
                    }
                    case LOAD -> loads(database, system, family, cells, skipped);
                    case RECOVERY -> {
                        if (family == Contenders.Family.PAWL) {
                            cells.add(Cell.recovery(database, system, HELD_BY_VICTIM));
                        } else {
                            skipped.add(database + ": recovery is measured for Pawl's strategies, not for " + system);
                        }
                    }
                }
            }
        }
        return new Expanded(List.copyOf(cells), List.copyOf(skipped));
    }

    private boolean isMoreThanPlain() {
        return !handlerMillis.equals(List.of(0))
                || !batches.equals(List.of(0))
                || payloadBytes.size() > 1
                || !disturbances.equals(List.of(Cell.Disturbance.NONE));
    }

    private void drains(
            String database,
            String product,
            String system,
            Contenders.Family family,
            Set<Cell> cells,
            Set<String> skipped) {
        List<Cell.Disturbance> possible = new ArrayList<>(disturbances);
        List<Integer> spread = new ArrayList<>(processes);
        boolean pawl = family == Contenders.Family.PAWL;
        boolean detects = product.equals("mysql") || product.equals("mariadb");
        if (!detects && possible.remove(Cell.Disturbance.NO_DETECTION)) {
            skipped.add(database + ": deadlock detection can only be disabled on MySQL and MariaDB");
        }
        boolean study = family == Contenders.Family.STUDY;
        if (!pawl
                && possible.removeIf(disturbance -> disturbance != Cell.Disturbance.NONE
                        && !(study && disturbance == Cell.Disturbance.NO_DETECTION))) {
            skipped.add(database + ": disturbances are for Pawl's strategies, not for " + system);
        }
        if (spread.stream().anyMatch(count -> count > 0) && possible.remove(Cell.Disturbance.BACKLOG)) {
            skipped.add(database + ": no backlog with worker processes: they finish only when the queue is empty");
        }
        if (!pawl && spread.removeIf(count -> count > 0)) {
            skipped.add(database + ": worker processes are for Pawl's strategies, not for " + system);
        }
        List<Integer> handlers = workers;
        if (family == Contenders.Family.RAW && !system.equals("raw-marker") && workers.size() > 1) {
            handlers = List.of(workers.get(0));
            skipped.add(database + ": " + system + " has as many threads as it needs, regardless of --workers");
        }
        List<Integer> payloads = payloadBytes;
        if (study && payloadBytes.size() > 1) {
            payloads = List.of(payloadBytes.get(0));
            skipped.add(database + ": the study's designs have their own payloads, regardless of --payload");
        }
        if (handlers.stream()
                .anyMatch(count -> count
                        < spread.stream().mapToInt(Integer::intValue).max().orElse(0))) {
            skipped.add(database + ": " + system + " with more processes than handlers");
        }
        for (int worker : handlers) {
            for (int process : spread) {
                if (process > worker) {
                    continue;
                }
                for (int job : jobs) {
                    for (int batch : family == Contenders.Family.PAWL || family == Contenders.Family.RAW
                            ? batches
                            : List.of(0)) {
                        for (int payload : payloads) {
                            for (int millis : handlerMillis) {
                                for (Cell.Disturbance disturbance : possible) {
                                    cells.add(new Cell(
                                            Cell.Measure.DRAIN,
                                            database,
                                            system,
                                            worker,
                                            process,
                                            job,
                                            batch,
                                            payload,
                                            millis,
                                            disturbance,
                                            verify,
                                            0));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private void loads(String database, String system, Contenders.Family family, Set<Cell> cells, Set<String> skipped) {
        if (family == Contenders.Family.STUDY || family == Contenders.Family.BROKER) {
            skipped.add(database + ": no load for " + system + ": load needs a queue in this database that accepts jobs"
                    + " while workers run");
            return;
        }
        List<Cell.Disturbance> possible = new ArrayList<>(disturbances);
        possible.retainAll(List.of(Cell.Disturbance.NONE, Cell.Disturbance.HELD_SNAPSHOT));
        if (possible.size() < disturbances.size()) {
            skipped.add(database + ": load is measured with nothing in the way, or an open transaction");
        }
        if (!processes.equals(List.of(0)) || verify) {
            skipped.add(database + ": load is run by threads of the lab, without protocol table");
        }
        for (int worker : workers) {
            for (int job : jobs) {
                for (int batch : batches) {
                    for (int payload : payloadBytes) {
                        for (int millis : handlerMillis) {
                            for (Cell.Disturbance disturbance : possible) {
                                cells.add(new Cell(
                                        Cell.Measure.LOAD,
                                        database,
                                        system,
                                        worker,
                                        0,
                                        job,
                                        family == Contenders.Family.PEER ? 0 : batch,
                                        payload,
                                        millis,
                                        disturbance,
                                        false,
                                        0));
                            }
                        }
                    }
                }
            }
        }
    }

    /** Only Pawl's workers have processes of their own, and each process needs at least one handler. */
    private void latencies(String database, String system, Contenders.Family family, Set<Cell> cells) {
        for (int worker : workers) {
            for (int process : processes) {
                if (process == 0 || (family == Contenders.Family.PAWL && process <= worker)) {
                    rates.forEach(rate -> cells.add(Cell.latency(
                            database, system, worker, process, payloadBytes.get(0), rate, latencySeconds)));
                }
            }
        }
    }
}
