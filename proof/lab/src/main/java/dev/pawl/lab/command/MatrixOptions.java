package dev.pawl.lab.command;

import dev.pawl.cli.UsageException;
import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Matrix;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The dimensions of the matrix, as options. */
final class MatrixOptions {
    @Option(
            names = "--systems",
            arity = "1..*",
            paramLabel = "SYSTEM",
            description = {
                "What to measure: strategies of Pawl (auto, lanes, skip-locked, immediate, optimistic:window=10,pick=uniform,",
                "pessimistic, transactional …; after one, +no-history leaves finished jobs out, +limit and +kind-limit set one,",
                "+keys gives jobs keys, +strict-keys ten thousand whose jobs run one after the other, +batch makes them members",
                "of a batch, +small-batches of one for each ten, +chunks handles many in a call, +queues spreads them over",
                "twenty queues, +transaction inserts a row in each job's transaction, +due makes all due in the same second,",
                "+workers=N spreads the handlers over N workers with pools of their own; the last three also of db-scheduler),",
                "designs of the study (DBP-0-0-5, DBP-0-1-1, DBP-1-0-1, DBP-0-0-5-noindex, DBO-0, DBO-1 …), raw,",
                "raw-same-table, raw-lane and raw-marker (JDBC by hand), db-scheduler, jobrunr, quartz, pgque (its SQL file in",
                "PAWL_LAB_PGQUE_SQL), redis://HOST:PORT, beanstalk://HOST:PORT.",
                "Default: auto optimistic pessimistic"
            })
    private @Nullable List<String> systems;

    @Option(
            names = "--workers",
            split = ",",
            paramLabel = "N",
            defaultValue = "10",
            description = "Handlers at once, 1 to 1000. Default: ${DEFAULT-VALUE}")
    private List<Integer> workers = List.of(10);

    @Option(
            names = "--processes",
            split = ",",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How many worker processes to spread Pawl's handlers over; 0: threads. Default: ${DEFAULT-VALUE}")
    private List<Integer> processes = List.of(0);

    @Option(
            names = "--jobs",
            split = ",",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Jobs of a backlog. Default: ${DEFAULT-VALUE}")
    private List<Integer> jobs = List.of(10_000);

    @Option(
            names = "--batch",
            split = ",",
            paramLabel = "N",
            defaultValue = "0",
            description = "Most jobs of one claim, 1 to 1000; 0: the default of each. Default: ${DEFAULT-VALUE}")
    private List<Integer> batches = List.of(0);

    @Option(
            names = "--payload",
            split = ",",
            paramLabel = "BYTES",
            defaultValue = "60",
            description = "Approximate size of a payload. Default: ${DEFAULT-VALUE}")
    private List<Integer> payloads = List.of(60);

    @Option(
            names = "--handler",
            split = ",",
            paramLabel = "MS",
            defaultValue = "0",
            description = "How long a handler takes; 0: it does nothing. Default: ${DEFAULT-VALUE}")
    private List<Integer> handlers = List.of(0);

    @Option(
            names = "--measure",
            split = ",",
            paramLabel = "WHAT",
            defaultValue = "drain",
            description = {
                "drain: a backlog in and out; latency: jobs that come one by one; recovery: a worker is killed;",
                "load: --jobs jobs are there at any moment, while others come and go for --load-seconds.",
                "Default: ${DEFAULT-VALUE}"
            })
    private List<String> measures = List.of("drain");

    @Option(
            names = "--with",
            split = ",",
            paramLabel = "WHAT",
            defaultValue = "none",
            description = {
                "Adverse condition of a drain: none, held-snapshot (a long open transaction), delayed (a",
                "million jobs due in an hour, see --delayed), backlog (ten million jobs wait behind those that are measured,",
                "see --backlog), no-detection (deadlock detection disabled on",
                "MySQL and MariaDB during the trial: a global setting, restored at the end). Default: ${DEFAULT-VALUE}"
            })
    private List<String> disturbances = List.of("none");

    @Option(names = "--verify", description = "Write each execution to a protocol table, as the study does; slower.")
    private boolean verify;

    @Option(
            names = "--rate",
            split = ",",
            paramLabel = "N",
            defaultValue = "100",
            description = "Arrivals per second, for latency, 1 to 1000. Default: ${DEFAULT-VALUE}")
    private List<Integer> rates = List.of(100);

    @Option(
            names = "--latency-seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "For how long jobs arrive, for latency. Default: ${DEFAULT-VALUE}")
    private int latencySeconds = 10;

    Matrix matrix(List<String> databases) {
        List<String> chosen = systems == null ? List.of("auto", "optimistic", "pessimistic") : systems;
        chosen.forEach(system -> {
            Contenders.Family unused = Contenders.family(system);
        });
        require("--workers", workers, 1, 1000);
        require("--processes", processes, 0, 100);
        require("--jobs", jobs, 1, 100_000_000);
        require("--batch", batches, 0, 1000);
        require("--payload", payloads, 0, 1_000_000);
        require("--handler", handlers, 0, 600_000);
        require("--rate", rates, 1, 1000);
        require("--latency-seconds", List.of(latencySeconds), 1, 3600);
        return new Matrix(
                databases,
                chosen,
                workers,
                processes,
                jobs,
                batches,
                payloads,
                handlers,
                measures.stream()
                        .map(name -> named(Cell.Measure.class, "--measure", name))
                        .toList(),
                disturbances.stream()
                        .map(name -> named(Cell.Disturbance.class, "--with", name))
                        .toList(),
                verify,
                rates,
                latencySeconds);
    }

    static void require(String option, List<Integer> values, int least, int most) {
        for (int value : values) {
            if (value < least || value > most) {
                throw new UsageException(option + " " + value + " is not valid: use " + least + " to " + most);
            }
        }
    }

    private static <E extends Enum<E>> E named(Class<E> type, String option, String name) {
        try {
            return Enum.valueOf(type, name.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + " " + name + " is not valid: use "
                    + List.of(type.getEnumConstants()).stream()
                            .map(one -> one.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .reduce((one, other) -> one + ", " + other)
                            .orElse(""));
        }
    }
}
