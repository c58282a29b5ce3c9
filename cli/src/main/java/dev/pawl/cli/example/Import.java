package dev.pawl.cli.example;

import dev.pawl.Batch;
import dev.pawl.JobHandle;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Imports a file. One job splits it into parts. Each part is a job that returns the number of its lines. When all jobs have completed,
 * another job adds up these numbers.
 */
public final class Import implements Example {
    record File(String name, int lines) {}

    record Part(int firstLine, int lines) {}

    record Total(int parts, int lines) {}

    private static final int LINES_OF_A_PART = 1_000;
    private static final JobType<File> CUT = JobType.of("import.cut", File.class);
    private static final JobType<Part> READ = JobType.of("import.read", Part.class);
    private static final JobType<String> SUM = JobType.of("import.sum", String.class);

    @Override
    public String name() {
        return "import";
    }

    @Override
    public String shows() {
        return "a batch: a job that adds to its own batch, results, and a job when all have completed";
    }

    @Override
    public void run(JobQueue queue, PrintWriter out) throws Exception {
        Worker worker = Worker.on(queue)
                .handle(CUT, (file, run) -> queue.batch(run).orElseThrow().enqueueAll(READ, parts(file)))
                .handle(READ, Handlers.returning((part, run) -> part.lines()))
                .handle(SUM, Handlers.returning((name, run) -> {
                    long batch = Long.parseLong(run.job().headers().get("pawl-callback-of"));
                    List<Integer> read = queue.batch(batch).jobs(0, 10_000).stream()
                            .filter(job -> job.kind().equals(READ.kind()))
                            .map(job -> queue.handle(job.id(), Integer.class)
                                    .result()
                                    .orElseThrow())
                            .toList();
                    return new Total(
                            read.size(), read.stream().mapToInt(lines -> lines).sum());
                }))
                .start();
        try (worker) {
            Batch batch =
                    queue.batch("customers.csv").onSuccess(SUM, "customers.csv").open();
            batch.enqueue(CUT, new File("customers.csv", 25_500));
            batch.seal();
            worker.awaitIdle(Duration.ofMinutes(1));
            out.println(
                    "batch " + batch.id() + ": " + batch.info().orElseThrow().completed() + " jobs have completed");
            long sum = queue.admin()
                    .jobs()
                    .list(JobFilter.ALL.kind(SUM.kind()))
                    .get(0)
                    .id();
            JobHandle<Total> total = queue.handle(sum, Total.class);
            out.println(
                    "job " + sum + " is " + total.await(Duration.ofMinutes(1)).orElseThrow() + ": "
                            + total.result().orElseThrow());
        }
    }

    private static List<Part> parts(File file) {
        return IntStream.iterate(0, first -> first < file.lines(), first -> first + LINES_OF_A_PART)
                .mapToObj(first -> new Part(first, Math.min(LINES_OF_A_PART, file.lines() - first)))
                .toList();
    }
}
