package dev.pawl.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.BulkResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.shard.Shard;
import dev.pawl.shard.ShardedQueue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "enqueue",
        mixinStandardHelpOptions = true,
        description = "Enqueue one job, or one for each line of a file. Payloads are JSON.")
final class EnqueueCommand extends CliCommand implements ShardPlaced {
    /** Maximum bytes read from standard input, and characters of a line: twice the maximum of a payload. */
    private static final int LONGEST = 2 << 20;

    private static final String TOO_LARGE =
            " is larger than a payload may be: store the data elsewhere and enqueue a reference";
    /** Maximum characters of lines that wait to be written. */
    private static final long MAX_HELD = 16L << 20;

    private static final int BATCH = 1000;

    @Parameters(index = "0", paramLabel = "KIND", description = "The kind of the job.")
    private String kind = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PAYLOAD",
            description = "A JSON value, or - for standard input. Default: {}")
    private @Nullable String payload;

    @Option(
            names = "--lines",
            paramLabel = "FILE",
            description = "One job for each line of the file, a JSON value each; - for standard input."
                    + " All or none are enqueued.")
    private @Nullable String lines;

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            defaultValue = "default",
            description = "The queue. Default: ${DEFAULT-VALUE}")
    private String queue = "default";

    @Option(
            names = "--priority",
            paramLabel = "N",
            defaultValue = "0",
            description = "Smallest first, -32768 to 32767. Default: ${DEFAULT-VALUE}")
    private int priority;

    @Option(
            names = "--delay",
            paramLabel = "DURATION",
            description = "Available after this time: 0s to 3650d. Default: at once")
    private @Nullable String delay;

    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            description = "Available at this time, such as 2030-01-31T08:00:00Z. Default: at once")
    private @Nullable String at;

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            defaultValue = "20",
            description = "Discarded after N failed attempts, 1 to 32767. Default: ${DEFAULT-VALUE}")
    private int maxAttempts = 20;

    @Option(names = "--unique-key", paramLabel = "KEY", description = "At most one live job of the kind has the key.")
    private @Nullable String uniqueKey;

    @Option(names = "--unique-by-payload", description = "At most one live job of the kind has the same payload.")
    private boolean uniqueByPayload;

    @Option(
            names = "--unique-for",
            paramLabel = "DURATION",
            description = "With --unique-key or --unique-by-payload: no second job within this time, 1ms to 3650d, even"
                    + " after the first has finished. Default: while the first is live")
    private @Nullable String uniqueFor;

    @Option(
            names = "--unique-while",
            paramLabel = "waiting|live|live-or-discarded|kept",
            description = {
                "With --unique-key or --unique-by-payload: how long a job has its key: until it starts, until it ends,",
                "until it is completed or cancelled, or until its record is deleted. Default: live"
            })
    private @Nullable String uniqueWhile;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description =
                    "Jobs of a queue with the same key run in order, one at a time by default; change with 'pawl set limit"
                            + " keys'.")
    private @Nullable String key;

    @Option(
            names = "--cost",
            paramLabel = "N",
            description =
                    "Counts as N starts against a rate limit ('pawl set limit … --rate'), 1 to 1000000. Default: 1")
    private @Nullable Integer cost;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Maximum run time, 1ms to 3650d. Default: the worker's setting")
    private @Nullable String timeout;

    @Option(
            names = "--retry",
            paramLabel = "WAIT[..LONGEST]",
            description =
                    "Delay after a failure: fixed (30s), or doubled each time up to a maximum (2s..1h). Default: the"
                            + " worker's setting")
    private @Nullable String retry;

    @Option(
            names = "--expires-in",
            paramLabel = "DURATION",
            description =
                    "Cancelled instead of run if it has not started within this time, 1ms to 3650d. Default: never")
    private @Nullable String expiresIn;

    @Option(
            names = "--expires-at",
            paramLabel = "MOMENT",
            description = "Must start by this time, such as 2030-01-31T08:00:00Z; otherwise it is cancelled.")
    private @Nullable String expiresAt;

    @Option(
            names = "--replace",
            description = "If a waiting job has the unique key, give it the new payload and options.")
    private boolean replace;

    @Option(names = "--tag", paramLabel = "TAG", description = "A word by which to find the job; may be repeated.")
    private List<String> tags = new ArrayList<>();

    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description = "Metadata sent with the job's payload, such as a traceparent; may be repeated.")
    private List<String> headers = new ArrayList<>();

    @Mixin
    private CreateOption create = new CreateOption();

    /**
     * Chooses the shard of the job's key, as a {@link ShardedQueue} does. Without a key, any shard will do, and the next call may choose
     * another one.
     */
    @Override
    public ShardUrl place(List<ShardUrl> shards) {
        if (lines != null && uniqueByPayload) {
            throw new UsageException(
                    "--lines enqueues all jobs or none, but --unique-by-payload spreads them over the shards:"
                            + " enqueue each line with a command of its own");
        }
        EnqueueOptions options = options();
        payload = lines == null && payload != null ? payload() : payload;
        String json = uniqueByPayload ? Texts.requireJson("PAYLOAD", payload == null ? "{}" : payload) : "{}";
        Shard[] all = shards.stream()
                .map(each -> Shard.of(each.name(), JobQueue.builder(new HikariDataSource()))) // never opened
                .toArray(Shard[]::new);
        Optional<Shard> ofKey = ShardedQueue.of(all).shardOf(new JobRequest(kind, json, options));
        String only = ofKey.isPresent() ? ofKey.get().name() : database().only();
        return shards.stream()
                .filter(each -> each.name().equals(only))
                .findFirst()
                .orElseGet(() -> shards.get(ThreadLocalRandom.current().nextInt(shards.size())));
    }

    @Override
    public Integer call() {
        create.applyTo(database());
        if (lines != null && (payload != null || uniqueKey != null)) {
            throw new UsageException("--lines cannot be combined with PAYLOAD or --unique-key: each line is a payload,"
                    + " and jobs would share the key");
        }
        EnqueueOptions options = options();
        Path made = database().newFile();
        if (lines == null) {
            String json = Texts.requireJson("PAYLOAD", payload == null ? "{}" : payload());
            JobRequest request = new JobRequest(kind, json, options);
            try (DatabaseOptions.Session session = database().open(2)) {
                report(session.queue().enqueue(request));
            }
        } else {
            try (BufferedReader reader = reader(lines);
                    DatabaseOptions.Session session = database().open(2)) {
                report(enqueueLines(session, reader, options));
            } catch (IOException e) {
                throw new UsageException("cannot read " + lines + ": " + e.getMessage());
            }
        }
        if (made != null) {
            err().println("pawl: created " + made + "; use --db or PAWL_DB for another database");
        }
        return 0;
    }

    private String payload() {
        if (!"-".equals(payload)) {
            return Objects.requireNonNull(payload);
        }
        try {
            byte[] given = System.in.readNBytes(LONGEST + 1);
            if (given.length > LONGEST) {
                throw new UsageException("the payload on standard input" + TOO_LARGE);
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(given))
                    .toString()
                    .strip();
        } catch (CharacterCodingException e) {
            throw new UsageException("the payload on standard input is not UTF-8");
        } catch (IOException e) {
            throw new UsageException("cannot read the payload from standard input: " + e.getMessage());
        }
    }

    private EnqueueOptions options() {
        EnqueueOptions options = EnqueueOptions.DEFAULTS
                .queue(queue)
                .priority(priority)
                .maxAttempts(maxAttempts)
                .onDuplicate(replace ? OnDuplicate.REPLACE : OnDuplicate.KEEP)
                .tags(tags.toArray(String[]::new));
        options = unique(options);
        if (replace && options.uniqueKey() == null) {
            throw new UsageException("--replace needs --unique-key or --unique-by-payload");
        }
        if (uniqueWhile != null) {
            if (options.uniqueKey() == null) {
                throw new UsageException("--unique-while needs --unique-key or --unique-by-payload");
            }
            options = options.uniqueWhile(scope(uniqueWhile));
        }
        if (key != null) {
            options = options.key(key);
        }
        if (cost != null) {
            options = options.cost(cost);
        }
        if (timeout != null) {
            options = options.timeout(Texts.duration("--timeout", timeout, "1ms", "3650d"));
        }
        if (retry != null) {
            options = retry(options, retry);
        }
        if (expiresIn != null && expiresAt != null) {
            throw new UsageException("use --expires-in or --expires-at, not both");
        }
        if (expiresIn != null) {
            options = options.expiresIn(Texts.duration("--expires-in", expiresIn, "1ms", "3650d"));
        } else if (expiresAt != null) {
            options = options.expiresAt(Texts.instant("--expires-at", expiresAt));
        }
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new UsageException("--header '" + Texts.cut(header) + "' is not valid: write NAME:VALUE");
            }
            options = options.header(
                    header.substring(0, colon).strip(),
                    header.substring(colon + 1).strip());
        }
        if (delay != null && at != null) {
            throw new UsageException("use --delay or --at, not both");
        }
        if (delay != null) {
            return options.delay(Texts.duration("--delay", delay, "0s", "3650d"));
        }
        return at == null ? options : options.availableAt(Texts.instant("--at", at));
    }

    private EnqueueOptions unique(EnqueueOptions options) {
        if (uniqueByPayload && uniqueKey != null) {
            throw new UsageException("use --unique-key or --unique-by-payload, not both");
        }
        if (uniqueFor == null) {
            return uniqueByPayload ? options.uniqueByPayload() : options.uniqueKey(uniqueKey);
        }
        Duration time = Texts.duration("--unique-for", uniqueFor, "1ms", "3650d");
        if (uniqueByPayload) {
            return options.uniqueByPayload(time);
        }
        if (uniqueKey == null) {
            throw new UsageException("--unique-for needs --unique-key or --unique-by-payload");
        }
        return options.uniqueKey(uniqueKey, time);
    }

    private static UniqueWhile scope(String word) {
        return switch (word) {
            case "waiting" -> UniqueWhile.WAITING;
            case "live" -> UniqueWhile.LIVE;
            case "live-or-discarded" -> UniqueWhile.LIVE_OR_DISCARDED;
            case "kept" -> UniqueWhile.KEPT;
            default ->
                throw new UsageException("--unique-while '" + Texts.cut(word)
                        + "' is not valid: use waiting, live, live-or-discarded or kept");
        };
    }

    private static BufferedReader reader(String file) throws IOException {
        if (file.equals("-")) {
            return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()));
        }
        if (Files.isDirectory(Path.of(file))) {
            throw new UsageException(file + " is a folder: --lines takes a file");
        }
        try {
            return Files.newBufferedReader(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new UsageException("there is no file " + file);
        }
    }

    /** Enqueues all lines in one transaction, so that a bad line at the end leaves nothing behind. */
    private BulkResult enqueueLines(DatabaseOptions.Session session, BufferedReader reader, EnqueueOptions options) {
        long size =
                lines == null || lines.equals("-") ? 0 : Path.of(lines).toFile().length();
        return Failures.wrapped("cannot enqueue the lines", () -> {
            try (Connection connection = session.pool().getConnection();
                    ProgressBar progress = new ProgressBar(err(), "enqueued", size, output().isJson())) {
                connection.setAutoCommit(false);
                BulkResult total = BulkResult.NONE;
                List<JobRequest> batch = new ArrayList<>(BATCH);
                long number = 0;
                long held = 0;
                BoundedLines all = new BoundedLines(reader, LONGEST);
                for (String line = read(all, 1); line != null; line = read(all, number + 1)) {
                    number++;
                    progress.add(line.length() + 1L);
                    if (!line.isBlank()) {
                        batch.add(new JobRequest(kind, Texts.requireJson("line " + number, line.strip()), options));
                    }
                    held += line.length();
                    if (batch.size() == BATCH || held > MAX_HELD) {
                        held = 0;
                        total = flush(session, connection, batch, total);
                        progress.show(total.total());
                    }
                }
                total = flush(session, connection, batch, total);
                connection.commit();
                progress.show(total.total());
                session.queue().wake(queue);
                return total;
            }
        });
    }

    private static @Nullable String read(BoundedLines lines, long line) {
        try {
            String next = lines.next();
            if (lines.isCut()) {
                throw new UsageException("line " + line + " of the input" + TOO_LARGE);
            }
            return next;
        } catch (CharacterCodingException e) {
            throw new UsageException("the input is not UTF-8 at line " + line + " or soon after");
        } catch (IOException e) {
            throw new UncheckedIOException("line " + line + " of the input cannot be read: " + e.getMessage(), e);
        }
    }

    private static BulkResult flush(
            DatabaseOptions.Session session, Connection connection, List<JobRequest> batch, BulkResult before) {
        BulkResult total = before;
        for (EnqueueResult result : session.queue().within(connection).enqueueEach(batch)) {
            total = total.plus(result);
        }
        batch.clear();
        return total;
    }

    private void report(EnqueueResult result) {
        String what = result.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        if (output().isJson()) {
            output().json(out(), withShard(JsonForm.object("result", what, "jobId", result.jobId())));
        } else {
            out().println(database().shardWords() + what + " job " + result.jobId());
        }
    }

    private void report(BulkResult result) {
        if (output().isJson()) {
            output().json(
                            out(),
                            withShard(JsonForm.object(
                                    "inserted",
                                    result.inserted(),
                                    "duplicates",
                                    result.duplicates(),
                                    "replaced",
                                    result.replaced())));
        } else {
            out().println(database().shardWords() + "inserted " + result.inserted() + " jobs");
        }
    }

    private Map<String, @Nullable Object> withShard(Map<String, @Nullable Object> fields) {
        ShardUrl shard = database().shard();
        if (shard != null) {
            fields.put("shard", shard.name());
        }
        return fields;
    }

    private static EnqueueOptions retry(EnqueueOptions options, String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return options.retryFixed(Texts.duration("--retry", text, "0s", "3650d"));
        }
        Duration first = Texts.duration("--retry", text.substring(0, dots), "1ms", "3650d");
        Duration longest = Texts.duration("--retry", text.substring(dots + 2), "1ms", "3650d");
        if (first.compareTo(longest) > 0) {
            throw new UsageException("--retry " + text + " is not valid: the longest wait is shorter than the first");
        }
        return options.retryExponential(first, longest);
    }
}
