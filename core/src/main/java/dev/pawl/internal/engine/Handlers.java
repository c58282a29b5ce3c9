package dev.pawl.internal.engine;

import dev.pawl.ChunkHandler;
import dev.pawl.ChunkInterceptor;
import dev.pawl.ChunkOptions;
import dev.pawl.HandlerOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobHandler;
import dev.pawl.JobRun;
import dev.pawl.JobType;
import dev.pawl.Outcome;
import dev.pawl.PayloadCodec;
import dev.pawl.RetryPolicy;
import dev.pawl.RunInterceptor;
import dev.pawl.TypeToken;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handlers of a worker by kind. Not thread-safe while it is filled; {@link #copy} is never changed again. */
public final class Handlers {
    private static final Logger LOG = LoggerFactory.getLogger(Handlers.class);

    private final PayloadCodec codec;
    private final Map<String, Entry> byKind = new LinkedHashMap<>();
    private final Map<String, BooleanSupplier> open = new HashMap<>();
    private boolean elsewhere;
    private int mostResultBytes = Results.MOST_BYTES;

    /**
     * A kind's handler, ready to take the stored payload.
     *
     * @param call decodes and handles
     * @param reads decodes, and that is all; null if it takes payloads as they are
     * @param scoped what to do around a run; null for nothing
     * @param options timeout and retry policy
     * @param chunk handles many at once; null if each is handled alone
     */
    record Entry(
            Call call,
            @Nullable Consumer<String> reads,
            @Nullable Scoped scoped,
            HandlerOptions options,
            @Nullable ChunkEntry<?> chunk) {
        Entry intercepted(List<RunInterceptor> interceptors) {
            return new Entry(
                    Intercepted.by(interceptors, call),
                    reads,
                    scoped,
                    options,
                    chunk == null ? null : chunk.intercepted(interceptors));
        }

        Entry within(List<ChunkInterceptor> interceptors) {
            return chunk == null ? this : of(chunk.within(interceptors), reads, options);
        }

        static Entry of(ChunkEntry<?> chunk, @Nullable Consumer<String> reads, HandlerOptions options) {
            return new Entry(new ChunkOfOne<>(chunk), reads, null, options, chunk);
        }
    }

    interface Call {
        Outcome handle(String payload, JobRun run) throws Exception;
    }

    /**
     * @param codec decodes payloads
     */
    public Handlers(PayloadCodec codec) {
        this.codec = codec;
    }

    /** How long a result may be, in bytes of UTF-8. */
    public void mostResultBytes(int bytes) {
        mostResultBytes = bytes;
    }

    Results results() {
        return new Results(codec, mostResultBytes);
    }

    /** Adds a typed handler. */
    public <T> void add(JobType<T> type, JobHandler.WithOutcome<T> handler, HandlerOptions options) {
        put(
                type.kind(),
                (payload, run) -> handler.handle(codec.decode(payload, type.payloadType()), run),
                payload -> codec.decode(payload, type.payloadType()),
                handler,
                options);
    }

    /** Adds a typed handler of many jobs at once. */
    public <T> void addChunk(JobType<T> type, ChunkOptions chunk, ChunkHandler<T> handler, HandlerOptions options) {
        ChunkEntry<T> entry =
                new ChunkEntry<>(payload -> codec.decode(payload, type.payloadType()), handler, chunk, List.of());
        put(type.kind(), Entry.of(entry, payload -> codec.decode(payload, type.payloadType()), options));
    }

    /** {@return the kinds whose jobs are handled together, and how} */
    Map<String, Chunking> chunks() {
        Map<String, Chunking> chunks = new HashMap<>();
        byKind.forEach((kind, entry) -> {
            ChunkEntry<?> chunk = entry.chunk;
            if (chunk != null && chunk.most() > 1) {
                chunks.put(
                        kind,
                        new Chunking(kind, chunk::most, chunk.chunk().linger().toNanos()));
            }
        });
        return Map.copyOf(chunks);
    }

    /** Adds a handler of encoded payloads. */
    public void addEncoded(String kind, JobHandler.WithOutcome<String> handler, HandlerOptions options) {
        put(kind, handler::handle, null, handler, options);
    }

    /** Adds a handler that gives its runs away; while the kind is not open none of its jobs is claimed. */
    public void addElsewhere(
            String kind, BooleanSupplier isOpen, JobHandler.WithOutcome<String> handler, HandlerOptions options) {
        addEncoded(kind, handler, options);
        open.put(kind, isOpen);
        elsewhere = true;
    }

    /** {@return whether runs are given away, so that no transaction may be open around their handlers} */
    public boolean anyElsewhere() {
        return elsewhere;
    }

    /** Gives a former kind the handler of another, which was added before. */
    public void alias(String former, String kind) {
        Entry entry = byKind.get(kind);
        if (entry == null) {
            throw new InvalidJobException("kind '" + kind + "' has no handler yet, so '" + former
                    + "' cannot be its former name: call handle(…) first");
        }
        put(former, entry);
        if (open.containsKey(kind)) {
            open.put(former, open.get(kind));
        }
    }

    /**
     * Reads a payload as the handler of its kind would.
     *
     * @throws RuntimeException if it cannot be read
     */
    public void read(String kind, String payload) {
        Entry entry = byKind.get(kind);
        if (entry != null && entry.reads != null) {
            entry.reads.accept(payload);
        }
    }

    private void put(String kind, Call call, @Nullable Consumer<String> reads, Object handler, HandlerOptions options) {
        put(kind, new Entry(call, reads, handler instanceof Scoped around ? around : null, options, null));
    }

    private void put(String kind, Entry entry) {
        if (byKind.putIfAbsent(kind, entry) != null) {
            throw new InvalidJobException("kind '" + kind + "' has a handler already: a worker has one for each kind");
        }
    }

    /**
     * Uses the codec, so that it is loaded before a run needs it. A codec that writes JSON also reads a null for each kind: that
     * makes ready what reads the kind's payloads, and no object of the program. Failures are no news here.
     */
    void load() {
        try {
            TypeToken<String> string = TypeToken.of(String.class);
            String text = codec.encode("", string);
            String unused = codec.decode(text, string);
            if (text.equals("\"\"")) {
                byKind.values().forEach(Handlers::load);
            }
        } catch (Throwable cannot) { // it may take other types only
            LOG.debug("the codec does not take a string", cannot);
        }
    }

    private static void load(Entry entry) {
        try {
            if (entry.reads != null) {
                entry.reads.accept("null");
            }
        } catch (Throwable noNulls) {
            LOG.trace("null is no payload", noNulls);
        }
    }

    /** {@return the kinds, in the order in which they were added} */
    public List<String> kinds() {
        return List.copyOf(byKind.keySet());
    }

    /** {@return the kinds whose jobs take more than one place of a worker, with how many} */
    public Map<String, Integer> weights() {
        Map<String, Integer> weights = new HashMap<>();
        byKind.forEach((kind, entry) -> {
            if (entry.options.weight() > 1) {
                weights.put(kind, entry.options.weight());
            }
        });
        return Map.copyOf(weights);
    }

    int weight(String kind) {
        Entry entry = byKind.get(kind);
        return entry == null ? 1 : entry.options.weight();
    }

    int leastWeight() {
        return byKind.values().stream()
                .mapToInt(entry -> entry.options.weight())
                .min()
                .orElse(1);
    }

    /** {@return whether runs of this kind are given away} */
    boolean isElsewhere(String kind) {
        return open.containsKey(kind);
    }

    /** {@return those of the kinds whose jobs can be run now} */
    List<String> openKinds() {
        return open.isEmpty()
                ? kinds()
                : byKind.keySet().stream()
                        .filter(kind -> open.getOrDefault(kind, () -> true).getAsBoolean())
                        .toList();
    }

    /** {@return the same handlers, not to be changed} */
    public Handlers copy() {
        Handlers copy = new Handlers(codec);
        copy.byKind.putAll(byKind);
        copy.open.putAll(open);
        copy.elsewhere = elsewhere;
        copy.mostResultBytes = mostResultBytes;
        return copy;
    }

    /**
     * {@return the same handlers with interceptors around them, the first one outermost; not to be changed. Kinds that run
     * elsewhere have none}
     */
    public Handlers intercepted(List<RunInterceptor> interceptors) {
        Handlers copy = copy();
        if (!interceptors.isEmpty()) { // without any, nothing stands between a worker and its handlers
            copy.byKind.replaceAll((kind, entry) -> isElsewhere(kind) ? entry : entry.intercepted(interceptors));
        }
        return copy;
    }

    /** {@return the same handlers with these around each call for many jobs, to be asked before {@link #intercepted}; not to be changed} */
    public Handlers chunksIntercepted(List<ChunkInterceptor> interceptors) {
        Handlers copy = copy();
        if (!interceptors.isEmpty()) {
            copy.byKind.replaceAll((kind, entry) -> entry.within(interceptors));
        }
        return copy;
    }

    /** {@return what decodes payloads} */
    PayloadCodec codec() {
        return codec;
    }

    @Nullable
    Entry of(String kind) {
        return byKind.get(kind);
    }

    /** {@return the retry policy of a kind's handler; null if it has none of its own, or the kind has no handler} */
    @Nullable
    RetryPolicy retryPolicy(String kind) {
        Entry entry = byKind.get(kind);
        return entry == null ? null : entry.options().retryPolicy();
    }
}
