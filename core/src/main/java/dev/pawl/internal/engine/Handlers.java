package dev.pawl.internal.engine;

import dev.pawl.api.ChunkHandler;
import dev.pawl.api.ChunkInterceptor;
import dev.pawl.api.ChunkOptions;
import dev.pawl.api.Handler;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.Names;
import dev.pawl.api.Outcome;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.TypeToken;
import dev.pawl.spi.HandlerRegistry;
import dev.pawl.spi.RemoteHandler;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handlers of a worker by kind. Not thread-safe while handlers are added; a {@link #copy} is independent of later additions. */
public final class Handlers implements HandlerRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(Handlers.class);

    private final PayloadCodec codec;
    private final Map<String, Entry> byKind = new LinkedHashMap<>();
    private final Map<String, BooleanSupplier> open = new HashMap<>();
    private int mostResultBytes = Results.MAX_BYTES;

    /**
     * The handler of a kind, ready for the stored payload.
     *
     * @param call decodes and handles
     * @param reads decodes only; null if the handler takes encoded payloads
     * @param scoped surrounds a run; null for nothing
     * @param options timeout and retry policy
     * @param chunk handles many jobs at once; null if each is handled alone
     * @param remote whether the call may hand the run off, by returning null
     */
    record Entry(
            Call call,
            @Nullable Consumer<String> reads,
            @Nullable Scoped scoped,
            HandlerOptions options,
            @Nullable ChunkEntry<?> chunk,
            boolean remote) {
        Entry intercepted(List<RunInterceptor> interceptors) {
            return new Entry(
                    Intercepted.by(interceptors, call),
                    reads,
                    scoped,
                    options,
                    chunk == null ? null : chunk.intercepted(interceptors),
                    remote);
        }

        Entry within(List<ChunkInterceptor> interceptors) {
            return chunk == null ? this : of(chunk.within(interceptors), reads, options);
        }

        static Entry of(ChunkEntry<?> chunk, @Nullable Consumer<String> reads, HandlerOptions options) {
            return new Entry(new ChunkOfOne<>(chunk), reads, null, options, chunk, false);
        }
    }

    interface Call {
        @Nullable
        Outcome handle(String payload, JobRun run) throws Exception;
    }

    /**
     * @param codec decodes payloads
     */
    public Handlers(PayloadCodec codec) {
        this.codec = codec;
    }

    /** Sets the largest size of a result, in bytes of UTF-8. */
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

    /** Adds a typed handler of chunks. */
    public <T> void addChunk(JobType<T> type, ChunkOptions chunk, ChunkHandler<T> handler, HandlerOptions options) {
        ChunkEntry<T> entry =
                new ChunkEntry<>(payload -> codec.decode(payload, type.payloadType()), handler, chunk, List.of());
        put(type.kind(), Entry.of(entry, payload -> codec.decode(payload, type.payloadType()), options));
    }

    /**
     * @param count the worker's concurrency
     * @param shared the worker's part of a capacity that several workers share; null if it has its own
     * @return the capacity of a worker with these handlers
     */
    Capacity capacity(int count, SharedCapacity.@Nullable Member shared) {
        return new Capacity(count, weights(), together(), shared, anyRemote());
    }

    /** {@return how handlers take several jobs in one call, by kind; kinds whose jobs are handled one at a time are absent} */
    private Map<String, Together> together() {
        Map<String, Together> together = new HashMap<>();
        byKind.forEach((kind, entry) -> {
            ChunkEntry<?> chunk = entry.chunk;
            if (chunk != null && chunk.most() > 1) {
                together.put(
                        kind,
                        new Together(kind, chunk::most, chunk.chunk().linger().toNanos()));
            }
        });
        return Map.copyOf(together);
    }

    /** Adds a handler of either form. */
    public <T> void add(JobType<T> type, Handler<T> handler, HandlerOptions options) {
        if (handler instanceof Handler.Chunked<T> chunked) {
            addChunk(type, chunked.size(), chunked.handler(), options);
        } else if (handler instanceof Handler.Completing<T> completing) {
            add(type, completing.handler(), options);
        }
    }

    @Override
    public Handlers encoded(String kind, JobHandler.WithOutcome<String> handler, HandlerOptions options) {
        put(Names.check("kind", kind), handler::handle, null, handler, options);
        return this;
    }

    /** Adds a handler that hands runs off. Jobs of the kind are claimed only while {@code isOpen} says so. */
    @Override
    public Handlers remote(String kind, BooleanSupplier isOpen, RemoteHandler handler, HandlerOptions options) {
        Call call = (payload, run) -> handler.assign(payload, run).orElse(null);
        put(Names.check("kind", kind), new Entry(call, null, null, options, null, true));
        open.put(kind, isOpen);
        return this;
    }

    /** {@return whether runs are handed off} */
    public boolean anyRemote() {
        return !open.isEmpty();
    }

    /** {@return whether a transaction may be open around the handlers} */
    boolean mayRunInTransaction() {
        return !anyRemote();
    }

    /** Keeps this worker from logging the start of runs that are handed off. Their start is logged when the remote worker reports it. */
    void leaveStartLogs(Collection<HeldJob> claimed) {
        if (anyRemote()) {
            for (HeldJob job : claimed) {
                if (isRemote(job.job().kind())) {
                    job.leaveStartLog();
                }
            }
        }
    }

    /** Gives a former name of a kind the kind's handler, which must have been added before. */
    public void alias(String former, String kind) {
        Entry entry = byKind.get(kind);
        if (entry == null) {
            throw new IllegalArgumentException("kind '" + kind + "' has no handler yet, so '" + former
                    + "' cannot be its former name: call handle(…) first");
        }
        put(former, entry);
        if (open.containsKey(kind)) {
            open.put(former, open.get(kind));
        }
    }

    /**
     * Decodes a payload as the handler of its kind would.
     *
     * @throws RuntimeException if it cannot be decoded
     */
    public void read(String kind, String payload) {
        Entry entry = byKind.get(kind);
        if (entry != null && entry.reads != null) {
            entry.reads.accept(payload);
        }
    }

    private void put(String kind, Call call, @Nullable Consumer<String> reads, Object handler, HandlerOptions options) {
        put(kind, new Entry(call, reads, handler instanceof Scoped around ? around : null, options, null, false));
    }

    private void put(String kind, Entry entry) {
        if (byKind.putIfAbsent(kind, entry) != null) {
            throw new IllegalArgumentException(
                    "kind '" + kind + "' has a handler already: a worker has one for each kind");
        }
    }

    /** {@return the classes that a call of a chunk handler needs, to load them early} */
    static List<Class<?>> classes() {
        return List.of(ChunkOfOne.class, ChunkWork.class);
    }

    /**
     * Warms up the codec, so that it is loaded before a run needs it. A JSON codec also decodes a null for each kind: this prepares the
     * payload type without creating an object of it. Failures are ignored.
     */
    void load() {
        try {
            TypeToken<String> string = TypeToken.of(String.class);
            String text = codec.encode("", string);
            String unused = codec.decode(text, string);
            if (text.equals("\"\"")) {
                byKind.values().forEach(Handlers::load);
            }
        } catch (Throwable cannot) { // it may accept other types only
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

    /** {@return the weights above 1 by kind} */
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

    /** {@return whether runs of this kind are handed off} */
    boolean isRemote(String kind) {
        return open.containsKey(kind);
    }

    /** {@return the kinds whose jobs can run now} */
    List<String> openKinds() {
        return open.isEmpty()
                ? kinds()
                : byKind.keySet().stream()
                        .filter(kind -> open.getOrDefault(kind, () -> true).getAsBoolean())
                        .toList();
    }

    /** {@return an independent copy} */
    public Handlers copy() {
        Handlers copy = new Handlers(codec);
        copy.byKind.putAll(byKind);
        copy.open.putAll(open);
        copy.mostResultBytes = mostResultBytes;
        return copy;
    }

    /** {@return an independent copy with interceptors around the handlers, the first one outermost} Kinds that are handed off have none. */
    public Handlers intercepted(List<RunInterceptor> interceptors) {
        Handlers copy = copy();
        if (!interceptors.isEmpty()) { // without interceptors, handlers are called directly
            copy.byKind.replaceAll((kind, entry) -> isRemote(kind) ? entry : entry.intercepted(interceptors));
        }
        return copy;
    }

    /** {@return an independent copy with interceptors around each call of a chunk handler} To be called before {@link #intercepted}. */
    public Handlers chunksIntercepted(List<ChunkInterceptor> interceptors) {
        Handlers copy = copy();
        if (!interceptors.isEmpty()) {
            copy.byKind.replaceAll((kind, entry) -> entry.within(interceptors));
        }
        return copy;
    }

    /** {@return the codec of payloads} */
    PayloadCodec codec() {
        return codec;
    }

    @Nullable
    Entry of(String kind) {
        return byKind.get(kind);
    }

    /** {@return the retry policy of a kind's handler; null if it has none, or the kind has no handler} */
    @Nullable
    RetryPolicy retryPolicy(String kind) {
        Entry entry = byKind.get(kind);
        return entry == null ? null : entry.options().retryPolicy();
    }
}
