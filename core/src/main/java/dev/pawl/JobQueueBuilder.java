package dev.pawl;

import dev.pawl.internal.Json;
import dev.pawl.internal.QueueCore;
import dev.pawl.internal.migrate.Migrator;
import dev.pawl.internal.store.Stores;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.Failures;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.internal.wake.Wakes;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Options of a {@link JobQueue}. Confined to one thread; {@link #open} makes the queue. */
public final class JobQueueBuilder {
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,20}");

    private final DataSource dataSource;
    private String tablePrefix = "pawl_";
    private PayloadCodec codec = new Json();
    private Retention retention = Retention.DEFAULTS;
    private boolean migrate = true;
    private boolean notifications = true;
    private int maxPayloadBytes = 1 << 20;

    JobQueueBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * The start of the name of every table, index and constraint. To use another schema, set it in the connection
     * ({@code currentSchema} on PostgreSQL, the database in the URL elsewhere).
     *
     * @param prefix small letters, digits and underscores, at most 21. Default {@code pawl_}
     * @return this
     * @throws InvalidJobException if it is malformed
     */
    public JobQueueBuilder tablePrefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new InvalidJobException("table prefix '" + prefix
                    + "' is not valid: use small letters, digits and underscores, at most 21, a letter first");
        }
        this.tablePrefix = prefix;
        return this;
    }

    /**
     * How payloads become text.
     *
     * @param newCodec thread-safe. Default: JSON by Jackson 3
     * @return this
     */
    public JobQueueBuilder codec(PayloadCodec newCodec) {
        this.codec = Objects.requireNonNull(newCodec);
        return this;
    }

    /**
     * How long finished jobs are kept. Workers of this queue prune by it.
     *
     * @param newRetention default {@link Retention#DEFAULTS}
     * @return this
     */
    public JobQueueBuilder retention(Retention newRetention) {
        this.retention = Objects.requireNonNull(newRetention);
        return this;
    }

    /**
     * Whether opening the queue creates and updates its tables. If not, they must be there in this program's version.
     *
     * @param newMigrate default true
     * @return this
     */
    public JobQueueBuilder migrate(boolean newMigrate) {
        this.migrate = newMigrate;
        return this;
    }

    /**
     * Whether workers in other processes are told of new jobs at once, where the database can: NOTIFY on PostgreSQL,
     * at most once in 3 ms per queue. Without, they find them by polling.
     *
     * @param newNotifications default true
     * @return this
     */
    public JobQueueBuilder notifications(boolean newNotifications) {
        this.notifications = newNotifications;
        return this;
    }

    /**
     * The largest payload that is taken.
     *
     * @param bytes of UTF-8, 1 to 16,000,000. Default 1 MiB
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public JobQueueBuilder maxPayloadBytes(int bytes) {
        if (bytes < 1 || bytes > 16_000_000) {
            throw new InvalidJobException("maxPayloadBytes " + bytes + " is not valid: use 1 to 16000000");
        }
        this.maxPayloadBytes = bytes;
        return this;
    }

    /**
     * Finds out which database it is, and brings the tables up to date unless told not to.
     *
     * @return the queue
     * @throws SchemaException if the database is not supported, or its tables do not fit this version of Pawl
     * @throws DatabaseException if the database cannot be reached or refuses
     */
    public JobQueue open() {
        return Failures.wrapped("cannot open the job queue", () -> {
            Dialect dialect = Stores.dialect(dataSource, tablePrefix);
            Migrator migrator = new Migrator(dataSource, dialect);
            if (migrate) {
                migrator.migrate();
            } else {
                migrator.requireCurrent();
            }
            Database database = new Database(dataSource, dialect);
            WakeHub wakes = new WakeHub(Wakes.messenger(dataSource, dialect, notifications));
            QueueCore core = new QueueCore(
                    dataSource, database, Stores.store(database, retention), codec, retention, wakes, notifications);
            return new JobQueue(core, maxPayloadBytes);
        });
    }
}
