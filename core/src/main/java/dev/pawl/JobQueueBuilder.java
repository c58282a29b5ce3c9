package dev.pawl;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import dev.pawl.api.Names;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.QueueFullException;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.admin.AdminCalls;
import dev.pawl.internal.admin.IdRange;
import dev.pawl.internal.admin.QueuePosition;
import dev.pawl.internal.admin.SqlAdmin;
import dev.pawl.internal.admin.Waiters;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.FeatureParts;
import dev.pawl.internal.assembly.PrivateMemory;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.UpcomingMoment;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.codec.DefaultCodec;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.engine.Ports;
import dev.pawl.internal.enqueue.EnqueueInterceptors;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.CallersPool;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.PoolSize;
import dev.pawl.internal.jdbc.PoolUrl;
import dev.pawl.internal.jdbc.SchemaName;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.retention.ProgramRetention;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.retention.RetentionRows;
import dev.pawl.internal.schedule.SqlSchedules;
import dev.pawl.internal.schema.Migrator;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.internal.words.ShardIds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Options of a {@link JobQueue}, which {@link #open} opens. Confined to one thread. */
public final class JobQueueBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(JobQueueBuilder.class);
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,20}");

    private final DataSource dataSource;
    private String tablePrefix = "pawl_";
    private @Nullable String schema;
    private PayloadCodec codec = new DefaultCodec();
    private @Nullable Retention retention;
    private boolean migrate = true;
    private boolean notifications = true;
    private @Nullable Boolean notifyInTransactions;
    private int maxPayloadBytes = 1 << 20;
    private @Nullable FrameworkTransactions transactions;
    private final Map<String, Integer> maxWaiting = new HashMap<>();
    private @Nullable Integer shard;
    private boolean readOnly;
    private final List<EnqueueInterceptor> interceptors = new ArrayList<>();

    JobQueueBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * Sets the prefix of the names of all tables, indexes and constraints.
     *
     * @param prefix 1 to 21 lower-case letters, digits and underscores, beginning with a letter. Default {@code pawl_}
     * @return this
     * @throws IllegalArgumentException if it is malformed
     */
    public JobQueueBuilder tablePrefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("table prefix '" + prefix
                    + "' is not valid: use lower-case letters, digits and underscores, at most 21, a letter first");
        }
        this.tablePrefix = prefix;
        return this;
    }

    /**
     * Sets the schema of the tables; on MySQL and MariaDB, another database of the same server. It must exist. Every statement is qualified
     * with it, so the search path and the current database of connections do not matter, not even in the caller's transactions.
     *
     * @param name exactly as in the catalog, including case; 1 to 64 characters. Default: on PostgreSQL, {@link #open} takes the schema of
     *     the search path that has the tables, or the path's first schema if none has them. On MySQL and MariaDB, it takes the database of
     *     the pool's connections. SQLite has no schemas, so {@code open} refuses a name there
     * @return this
     * @throws IllegalArgumentException if it is empty or too long, or has quotes, backslashes, control characters or any of % ? : { }
     */
    public JobQueueBuilder schema(String name) {
        if (!SchemaName.isUsable(name)) {
            throw new IllegalArgumentException("schema '" + name + "' is not valid: use " + SchemaName.REQUIREMENT);
        }
        this.schema = name;
        return this;
    }

    /**
     * Sets the codec that turns payloads into text.
     *
     * @param newCodec thread-safe, for example {@code new JacksonCodec(mapper)}. Default: JSON by the Jackson version
     *     on the class path, see {@link PayloadCodec}
     * @return this
     */
    public JobQueueBuilder codec(PayloadCodec newCodec) {
        this.codec = Objects.requireNonNull(newCodec);
        return this;
    }

    /** {@return the codec that turns payloads into text} */
    public PayloadCodec codec() {
        return codec;
    }

    /**
     * Sets how long finished jobs are kept. Workers of this queue delete older ones. A worker that starts also stores each of these times
     * in the database, unless a longer one is stored there. It does not store the maximum number of completed jobs. Programs and commands
     * without a retention of their own apply the stored times. A program that starts no worker stores nothing. If the times cannot be
     * stored, the worker logs the error and runs anyway.
     *
     * @param newRetention default: the longest times that programs have stored
     *     ({@link dev.pawl.admin.Maintenance#clearStoredRetention} removes them); if none has, {@link Retention#DEFAULTS}
     * @return this
     */
    public JobQueueBuilder retention(Retention newRetention) {
        this.retention = Objects.requireNonNull(newRetention);
        return this;
    }

    /**
     * Sets whether opening the queue creates and updates its tables. Otherwise they must exist in the version that this
     * program needs.
     *
     * @param newMigrate default true
     * @return this
     */
    public JobQueueBuilder migrate(boolean newMigrate) {
        this.migrate = newMigrate;
        return this;
    }

    /**
     * Sets whether new jobs wake workers in other processes at once, where the database supports that: by NOTIFY on PostgreSQL, at most
     * once every 3 ms for each queue. Otherwise these workers find jobs by polling. Each worker listens on one connection. It opens this
     * connection itself if the pool reveals how to connect (HikariCP, DBCP 2 and Tomcat JDBC, when configured by URL). Otherwise it keeps a
     * connection of the pool while it runs, which the pool's leak detection may report.
     *
     * @param newNotifications default true
     * @return this
     */
    public JobQueueBuilder notifications(boolean newNotifications) {
        this.notifications = newNotifications;
        return this;
    }

    /**
     * Sets whether an enqueue in the caller's transaction also notifies workers in other processes of its commit.
     * PostgreSQL cannot prepare a transaction that has notified (XA, two-phase commit). Without a notification, workers
     * of this process poll more often for a while, and workers of other processes poll as usual; {@link JobQueue#wake}
     * after the commit spares them the wait.
     *
     * @param newNotifyInTransactions default: true, unless the server allows prepared transactions
     *     ({@code max_prepared_transactions} above zero)
     * @return this
     */
    public JobQueueBuilder notifyInTransactions(boolean newNotifyInTransactions) {
        this.notifyInTransactions = newNotifyInTransactions;
        return this;
    }

    /**
     * Sets the largest payload that an enqueue accepts.
     *
     * @param bytes of UTF-8, 1 to 16,000,000. Default 1 MiB
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public JobQueueBuilder maxPayloadBytes(int bytes) {
        if (bytes < 1 || bytes > PayloadLimit.MAX_BYTES) {
            throw new IllegalArgumentException("maxPayloadBytes " + bytes + " is not valid: use 1 to 16000000");
        }
        this.maxPayloadBytes = bytes;
        return this;
    }

    /**
     * Bounds the waiting jobs of a queue, delayed ones included: enqueues beyond the bound throw
     * {@link QueueFullException}. It applies to this program; {@link dev.pawl.limit.Limit#maxWaiting} applies to all
     * programs, and the smaller bound counts. A full queue also refuses jobs that would be duplicates of a live job.
     * Retries and jobs of schedules are never refused. Waiting jobs are counted at most once a second, or ten times a
     * second in a full queue, so several programs may exceed the bound by what they enqueue in between.
     *
     * @param queue its name
     * @param jobs how many may wait, 1 to 10,000,000. Default: no bound
     * @return this
     * @throws IllegalArgumentException if the name is malformed or the number outside its range
     */
    public JobQueueBuilder maxWaiting(String queue, int jobs) {
        if (jobs < 1 || jobs > 10_000_000) {
            throw new IllegalArgumentException("maxWaiting " + jobs + " is not valid: use 1 to 10000000");
        }
        maxWaiting.put(Names.check("queue", queue), jobs);
        return this;
    }

    /**
     * Lets enqueues join the transactions of a framework, and lets {@link JobRun#transaction} open them. All other work
     * of workers uses separate connections.
     *
     * @param newTransactions of this queue's database. Default: none; but see {@link JobQueue} about Spring's proxy
     * @return this
     */
    public JobQueueBuilder transactions(FrameworkTransactions newTransactions) {
        this.transactions = Objects.requireNonNull(newTransactions);
        return this;
    }

    /**
     * Adds an interceptor that observes, changes or refuses every job that this program enqueues, including those of schedules. {@link
     * EnqueueInterceptor} lists the jobs that it does not get.
     *
     * @param interceptor gets the job as returned by the interceptors added before it. Default: none
     * @return this
     */
    public JobQueueBuilder interceptEnqueue(EnqueueInterceptor interceptor) {
        interceptors.add(Objects.requireNonNull(interceptor));
        return this;
    }

    /**
     * Sets the number of this database among several shards, so that job ids are unique across them: the jobs of shard
     * <i>n</i> have the ids from <i>n</i> · 2<sup>43</sup> on. In a database that has never had a job, {@link #open}
     * sets the counter of ids; it refuses a database with ids of another shard. {@link dev.pawl.shard.ShardedQueue}
     * calls this method.
     *
     * @param number 0 to 1,023. Default: ids from 1 on, as for shard 0, without a check
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public JobQueueBuilder shard(int number) {
        if (number < 0 || number >= ShardIds.SHARDS) {
            throw new IllegalArgumentException("shard " + number + " is not valid: use 0 to " + (ShardIds.SHARDS - 1));
        }
        this.shard = number;
        return this;
    }

    /**
     * Sets whether the queue only reads, as from a replica of the primary: for listings, pages and metrics. Then it migrates nothing, and
     * everything that would write throws: enqueues, changes, and the start of a worker. The reads also run in transactions in which the
     * database itself refuses writes.
     *
     * <p>Its data is as old as that of the replica. It does not fall back to another database: while the replica cannot
     * be reached, its methods throw {@link DatabaseException}.
     *
     * @param newReadOnly default false
     * @return this
     */
    public JobQueueBuilder readOnly(boolean newReadOnly) {
        this.readOnly = newReadOnly;
        return this;
    }

    /**
     * Opens the queue: detects the database product and, unless {@link #migrate} is off, creates or updates the tables. Refuses Spring's
     * {@code TransactionAwareDataSourceProxy} with an {@link IllegalArgumentException} if {@code pawl-spring} is not on the class path.
     *
     * @return the queue
     * @throws SchemaException if the database is not supported, its tables do not fit this version of Pawl, the search path of the pool's
     *     connections has them in more than one schema, or its jobs have the ids of another {@link #shard}
     * @throws DatabaseException if the database cannot be reached or refuses a statement
     */
    public JobQueue open() {
        return Failures.wrapped("cannot open the job queue" + PoolUrl.inBrackets(dataSource), () -> {
            CallersPool pool = CallersPool.of(dataSource, transactions);
            DataSource plain = pool.plain();
            DatabaseProduct product = Databases.of(plain, tablePrefix, schema);
            Migrator migrator = new Migrator(plain, product.dialect(), product.schema());
            if (migrate && !readOnly) {
                migrator.migrate(left -> LOG.warn(left.warning()));
                PrivateMemory.refuse(product, plain, migrator);
            } else {
                migrator.requireCurrent();
            }
            requireShard(migrator, product);
            Database database = database(plain, product);
            Retention own = retention;
            // A program without a retention of its own deletes no job on completion, because the pruner later applies
            // the stored retention.
            Retention kept = Objects.requireNonNullElse(own, Retention.DEFAULTS);
            RetentionRows stored = new RetentionRows(database.limited(SqlJobStore.LONGEST_WAIT));
            LinkedRows linked = LinkedRows.installed(product.dialect());
            Pruner pruner = new Pruner(database.limited(Pruner.LONGEST_WAIT), product.history(), linked);
            WakeHub.Messenger messenger = notifications && !readOnly
                    ? product.messenger(plain, notifyInTransactions)
                    : WakeHub.localMessenger();
            WakeHub wakes = new WakeHub(messenger);
            SqlJobStore store = new SqlJobStore(product, database, kept, wakes::expected, maxWaiting);
            PayloadLimit payloads = new PayloadLimit(maxPayloadBytes);
            EnqueueInterceptor interceptor = EnqueueInterceptors.all(List.copyOf(interceptors));
            EnqueueInterceptor ofTicks = EnqueueInterceptors.fitting(interceptor, payloads);
            SqlLimits limits = new SqlLimits(database.limited(SqlJobStore.LONGEST_WAIT));
            SqlKeys keys = new SqlKeys(database.limited(SqlJobStore.LONGEST_WAIT), product.claimById());
            Ports ports = new Ports(
                    store,
                    new WorkerRegistry(
                            database.limited(SqlJobStore.LONGEST_WAIT),
                            own == null ? () -> {} : new ProgramRetention(stored, own)),
                    own == null ? ignored -> pruner.pruneAsStored() : pruner,
                    new SqlSchedules(database.limited(SqlSchedules.LONGEST_WAIT), store, ofTicks, codec::identity),
                    new UpcomingMoment(database.limited(SqlJobStore.LONGEST_WAIT), Features.installed()),
                    new FeatureParts(store::additions, limits, keys),
                    kept,
                    wakes,
                    connections(plain, messenger),
                    database::contended);
            SqlAdmin admin = SqlAdmin.of(
                    new AdminCalls(database, wakes),
                    new SqlAdmin.JobParts(kept, store.completionHook(), store.workflows(), linked, payloads),
                    store,
                    pruner,
                    product.tables());
            QueueRuntime runtime = new QueueRuntime(
                    pool,
                    database,
                    codec,
                    ports,
                    payloads,
                    ofTicks,
                    store.completionHook(),
                    store.batches(),
                    store.newWorkflows(),
                    store.workflows(),
                    new Waiters(database.limited(SqlJobStore.LONGEST_WAIT)),
                    new QueuePosition(database.limited(SqlJobStore.LONGEST_WAIT)));
            return new JobQueue(runtime, admin, new JobWriter(runtime, interceptor));
        });
    }

    private Database database(DataSource plain, DatabaseProduct product) {
        Database database = new Database(plain, product.dialect()).withTransactions(transactions);
        return readOnly ? database.readOnly() : database;
    }

    private void requireShard(Migrator migrator, DatabaseProduct product) throws SQLException {
        Integer number = shard;
        if (number != null) {
            IdRange ids = new IdRange(product.dialect(), product.tables(), number);
            if (!migrator.reading(ids::isCounted) && !readOnly) { // usually set already, so no lock is needed
                boolean unused = migrator.alone("to set their counter of ids", connection -> {
                    ids.begin(connection);
                    return true;
                });
            }
        }
    }

    /**
     * Returns the number of connections that remain for workers. In a pool of one, that connection remains, because the listener fails its
     * self-test and returns it.
     */
    private static OptionalInt connections(DataSource pool, WakeHub.Messenger messenger) {
        OptionalInt all = PoolSize.of(pool);
        return all.isPresent() ? OptionalInt.of(Math.max(1, all.getAsInt() - messenger.borrowed())) : all;
    }
}
