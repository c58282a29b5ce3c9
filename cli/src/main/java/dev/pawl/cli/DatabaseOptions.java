package dev.pawl.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.internal.admin.IdRange;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.SchemaName;
import dev.pawl.internal.jdbc.TlsFailure;
import dev.pawl.internal.schema.LeftBehind;
import dev.pawl.internal.schema.Migration;
import dev.pawl.internal.schema.Migrator;
import dev.pawl.internal.words.ShardIds;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The database to use, and its connection pool. */
final class DatabaseOptions {
    /** A pool reports an outage after this time. */
    private static final long CONNECT_MILLIS = 5_000;

    private static final int CONNECT_SECONDS = 10;

    @Option(
            names = "--db",
            paramLabel = "URL",
            description =
                    "postgres://user:password@host/database, mysql://…, mariadb://…, the name of an SQLite file, or a"
                            + " JDBC URL. Default: the environment's PAWL_DB, else pawl.db. Put passwords into"
                            + " PAWL_DB rather than here: others can see a command line.")
    private @Nullable String url;

    @Option(
            names = "--table-prefix",
            paramLabel = "PREFIX",
            defaultValue = "pawl_",
            description = "Prefix of the tables' names. Default: ${DEFAULT-VALUE}")
    private String prefix = "pawl_";

    @Option(
            names = "--schema",
            paramLabel = "SCHEMA",
            description =
                    "Schema that has the tables; on MySQL and MariaDB, another database of the server. Default: where the"
                            + " connection finds them.")
    private @Nullable String schema;

    @Option(
            names = "--shard",
            paramLabel = "NAME[=URL]",
            description =
                    "One of the databases of a ShardedQueue, in its order; once for each. Without URL: the environment's"
                            + " PAWL_DB_NAME. Default: the names in PAWL_SHARDS, with commas between them. See docs/guides/shards.md.")
    private List<String> shards = new ArrayList<>();

    @Option(names = "--only", paramLabel = "NAME", description = "Of the shards, only this one.")
    private @Nullable String only;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    private boolean create;
    private @Nullable ShardUrl shard;
    private boolean knownElsewhere;
    private boolean unverified;

    /** {@return all shards, including those that {@code --only} leaves out; empty if the options name a single database} */
    List<ShardUrl> shards() {
        String named = System.getenv("PAWL_SHARDS");
        boolean isNamed = url == null && named != null && !named.isBlank();
        if (shards.isEmpty() && !isNamed) {
            if (only != null) {
                throw new UsageException("--only chooses one of several shards: give --shard, or set PAWL_SHARDS");
            }
            return List.of();
        }
        if (url != null) {
            throw new UsageException("use --db or --shard, not both");
        }
        return shards.isEmpty()
                ? ShardUrl.named("PAWL_SHARDS", Objects.requireNonNull(named))
                : ShardUrl.all("--shard", shards);
    }

    /** {@return the name of the shard that the command is confined to; null for all} */
    @Nullable
    String only() {
        return only;
    }

    /** Selects a shard for the next session. */
    void use(ShardUrl one) {
        shard = one;
        unverified = false;
    }

    /** From now on accepts names that are unknown on a shard, because they are known on another one. */
    void knownElsewhere() {
        knownElsewhere = true;
    }

    boolean isKnownElsewhere() {
        return knownElsewhere;
    }

    /** Records that the command goes on with a name that is unknown on the current shard, or could not be looked up there. */
    void acceptUnverified() {
        unverified = true;
    }

    /** {@return whether the command went on with a name that the current shard may not know} */
    boolean isUnverified() {
        return unverified;
    }

    /** {@return the current shard; null without shards} */
    @Nullable
    ShardUrl shard() {
        return shard;
    }

    /** {@return whether a job may be in the database of the current shard; true without shards} */
    boolean mayHave(long jobId) {
        ShardUrl present = shard;
        return present == null || ShardIds.shardOf(jobId) == present.number();
    }

    /** {@return the name of the current shard and a colon, to begin a prompt; empty without shards} */
    String shardWords() {
        ShardUrl present = shard;
        return present == null ? "" : present.name() + ": ";
    }

    DatabaseUrl url() {
        ShardUrl present = shard;
        if (present != null) {
            return DatabaseUrl.of("shard " + present.name(), present.url());
        }
        String environment = System.getenv("PAWL_DB");
        if (url != null) {
            return DatabaseUrl.of("--db", url);
        }
        return environment != null ? DatabaseUrl.of("PAWL_DB", environment) : DatabaseUrl.of("--db", "pawl.db");
    }

    /** {@return whether the command line names a database} */
    boolean isGiven() {
        return url != null;
    }

    /**
     * {@return a blank and the option --db with which other commands find this database, without a password; empty for the default
     * database}
     */
    String asOption() {
        Path file = url().file();
        if (url == null || (file != null && file.equals(Path.of("pawl.db")))) {
            return "";
        }
        String name = String.valueOf(file);
        return " --db " + (file == null ? "…" : name.matches("[\\w./-]+") ? name : "'" + name + "'");
    }

    /** Uses a new SQLite file instead of the default. */
    Session openFile(Path file, int connections) {
        url = file.toString();
        return open(connections);
    }

    String shownUrl() {
        return url().shown();
    }

    /** A queue and its pool, closed together. */
    record Session(HikariDataSource pool, JobQueue queue, String shownUrl) implements AutoCloseable {
        @Override
        public void close() {
            queue.close();
            pool.close();
        }
    }

    /** For commands that write: creates the tables in a file, and on a server only if {@code --create} was given. */
    Session open(int connections) {
        return open(connections, creates(), true);
    }

    /** Opens a queue for a worker, which may disable listening for notifications. */
    Session openToWork(int connections, boolean listen) {
        return open(connections, creates(), listen);
    }

    /** Lets {@link #open} create or update the tables on a server, too. */
    void createOnServers() {
        create = true;
    }

    /**
     * {@return whether to create tables} In a file they are always created, because the file belongs to the user who names it. A server has
     * other users, who should know of new tables.
     */
    private boolean creates() {
        return create || url().file() != null;
    }

    /** {@return the named SQLite file if it does not exist yet; otherwise null} */
    @Nullable
    Path newFile() {
        Path file = url().file();
        return file == null || Files.exists(file) ? null : file.toAbsolutePath();
    }

    /** For commands that inspect or operate: a missing file or table is an error, and nothing is created. */
    Session openExisting() {
        return openExisting(2);
    }

    Session openExisting(int connections) {
        return openExisting(connections, builder -> {});
    }

    /** Sets the first job id of the current shard, if its database has not assigned any id yet. */
    void beginIds() {
        if (shard != null) {
            open(2, false, false).close();
        }
    }

    /** Opens a replica of the database, for reading. Refuses a replica of another shard. */
    Session openReplica(String replicaUrl, int connections) {
        DatabaseUrl unused = DatabaseUrl.of("--replica", replicaUrl);
        DatabaseOptions replica = beside(replicaUrl);
        ShardUrl present = shard;
        if (present != null) {
            replica.use(new ShardUrl(present.name(), replicaUrl, present.number()));
        }
        return replica.openExisting(connections, builder -> builder.readOnly(true));
    }

    /** Opens another shard. Refuses a database whose ids are not those of the shard's number. */
    Session openBeside(ShardUrl other, int connections) {
        DatabaseOptions options = beside(other.url());
        options.use(other);
        return options.openExisting(connections);
    }

    /** {@return whether a connection to a shard can be opened now} */
    static boolean isReachable(ShardUrl one) {
        DatabaseUrl target = DatabaseUrl.of("shard " + one.name(), one.url());
        Path file = target.file();
        if (file != null) {
            return Files.exists(file);
        }
        DriverManager.setLoginTimeout(CONNECT_SECONDS);
        try (Connection connection = target.connect()) {
            return !connection.isClosed();
        } catch (SQLException e) {
            return false;
        }
    }

    /** Opens another existing database, with the same table prefix and schema. */
    Session openBeside(String otherUrl, int connections) {
        return beside(otherUrl).openExisting(connections);
    }

    private DatabaseOptions beside(String otherUrl) {
        DatabaseOptions other = new DatabaseOptions();
        other.url = otherUrl;
        other.prefix = prefix;
        other.schema = schema;
        other.command = command;
        return other;
    }

    /** Like {@link #openExisting()}, with another configuration, such as a codec. */
    Session openExisting(int connections, Consumer<JobQueueBuilder> configure) {
        Path file = url().file();
        if (file != null && !Files.exists(file)) {
            throw new UsageException("there is no file " + file
                    + ": name your database with --db or PAWL_DB, or make this one with 'pawl migrate'");
        }
        return open(connections, false, true, false, configure);
    }

    private Session open(int connections, boolean migrate, boolean listen) {
        return open(connections, migrate, listen, true, builder -> {});
    }

    /** @param begins whether to set the first id of a new shard */
    private Session open(
            int connections, boolean migrate, boolean listen, boolean begins, Consumer<JobQueueBuilder> configure) {
        HikariDataSource pool = pool(connections);
        try {
            if (url().file() == null) {
                prepare(pool, migrate);
            } else {
                requireNoOtherPrefix(pool);
            }
            JobQueueBuilder builder = JobQueue.builder(pool);
            if (schema != null) {
                builder.schema(schema);
            }
            configure.accept(builder);
            ShardUrl present = shard;
            if (present != null && begins) {
                builder.shard(present.number());
            } else if (present != null) {
                requireNumber(pool, present.number());
            }
            JobQueue queue = builder.tablePrefix(prefix)
                    .migrate(migrate)
                    .notifications(listen)
                    .open();
            return new Session(pool, queue, shownUrl());
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Refuses a database with the ids of another shard. Unlike an enqueue, this does not set the first id of a new database, because the
     * databases may have been given in the wrong order.
     */
    private void requireNumber(HikariDataSource pool, int number) {
        DatabaseProduct product = product(pool);
        IdRange ids = new IdRange(product.dialect(), product.tables(), number);
        boolean unused = Failures.wrapped("cannot read the counter of ids", () -> {
            try (Connection connection = pool.getConnection()) {
                return ids.isCounted(connection);
            }
        });
    }

    /** Creates or updates the tables of a server and says so. Refuses a server without tables if they may not be created. */
    private void prepare(HikariDataSource pool, boolean migrate) {
        DatabaseProduct product = product(pool);
        Migrator migrator = new Migrator(pool, product.dialect(), product.schema());
        int before = Failures.wrapped("cannot read the version of the tables", migrator::version);
        if (!migrate && before == 0) {
            throw new UsageException("there are no tables " + prefix + "* in " + shownUrl()
                    + otherPrefix(pool).map(DatabaseOptions::hint).orElse("")
                    + ": create them with 'pawl migrate' first" + (canCreate() ? ", or give --create" : ""));
        }
        if (migrate) {
            List<Migration> applied = Failures.wrapped("cannot migrate", () -> migrator.migrate(this::warn));
            if (!applied.isEmpty() && command != null) {
                command.commandLine()
                        .getErr()
                        .println("pawl: " + (before == 0 ? "created" : "updated") + " the tables " + prefix + "* in "
                                + shownUrl() + ", version "
                                + applied.get(applied.size() - 1).version());
            }
        }
    }

    /**
     * Refuses a file that has Pawl's tables only with another prefix, because programs that use those tables would never see what the
     * command writes.
     */
    private void requireNoOtherPrefix(HikariDataSource pool) {
        DatabaseProduct product = product(pool);
        Migrator migrator = new Migrator(pool, product.dialect(), product.schema());
        if (Failures.wrapped("cannot read the version of the tables", migrator::version) == 0) {
            otherPrefix(pool).ifPresent(other -> {
                throw new UsageException("there are no tables " + prefix + "* in " + shownUrl() + hint(other)
                        + "; 'pawl migrate' creates others");
            });
        }
    }

    private static String hint(String other) {
        return ", but " + other + "*: give --table-prefix " + other;
    }

    /** {@return the prefix of existing Pawl tables, if it differs from the given one} */
    private Optional<String> otherPrefix(HikariDataSource pool) {
        String table = "lane_range";
        return Failures.wrapped("cannot list the tables", () -> {
            try (Connection connection = pool.getConnection();
                    ResultSet tables =
                            connection.getMetaData().getTables(connection.getCatalog(), schema, "%" + table, null)) {
                while (tables.next()) {
                    String name = tables.getString("TABLE_NAME");
                    String found = name.endsWith(table) ? name.substring(0, name.length() - table.length()) : prefix;
                    if (!found.equals(prefix)) {
                        return Optional.of(found);
                    }
                }
                return Optional.empty();
            }
        });
    }

    private void warn(LeftBehind left) {
        if (command != null) {
            command.commandLine().getErr().println("pawl: warning: " + left.warning());
        }
    }

    private boolean canCreate() {
        return command != null && command.findOption("--create") != null;
    }

    HikariDataSource pool(int connections) {
        requireWritable();
        requireReachable();
        HikariConfig config = new HikariConfig();
        DatabaseUrl target = url();
        config.setJdbcUrl(target.jdbc());
        config.setUsername(target.user());
        config.setPassword(target.password());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        config.setKeepaliveTime(0); // idle connections are closed instead
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setPoolName("pawl");
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** {@return the product of a pool, which knows the location of the tables} */
    DatabaseProduct product(HikariDataSource pool) {
        return Failures.wrapped("cannot examine the database", () -> Databases.of(pool, prefix, usableSchema()));
    }

    /** {@return the SQL of a product; needs no server} */
    Dialect dialect(String product) {
        return Databases.dialect(product, prefix, usableSchema());
    }

    private @Nullable String usableSchema() {
        if (schema != null && !SchemaName.isUsable(schema)) {
            throw new UsageException("--schema '" + schema + "' is not valid: use " + SchemaName.REQUIREMENT);
        }
        return schema;
    }

    /** Tries one plain connection first: its error is clearer and earlier than a pool's timeout. */
    private void requireReachable() {
        String jdbc = url().jdbc();
        try {
            DriverManager.getDriver(jdbc);
        } catch (SQLException e) {
            throw new UsageException("there is no driver for " + shownUrl()
                    + ": use a URL that starts with jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb: or jdbc:sqlite:");
        }
        DriverManager.setLoginTimeout(CONNECT_SECONDS);
        try (Connection connection = url().connect()) {
            if (url().file() != null) {
                requireDatabase(connection); // SQLite opens any file, and reads it only later
            }
        } catch (SQLException e) {
            throw new CannotConnect(shownUrl(), e);
        }
    }

    private void requireDatabase(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM sqlite_master")) {
            rows.next();
        } catch (SQLException e) {
            throw new UsageException(url().file() + " cannot be read as an SQLite database: " + e.getMessage());
        }
    }

    /**
     * Refuses a read-only file. Every command writes, at least to switch the file to WAL mode, and a pool would retry that for half a
     * minute.
     */
    private void requireWritable() {
        Path file = url().file();
        if (file == null) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw new UsageException(file + " is a folder: name an SQLite file in it");
        }
        Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file);
        if (!Files.exists(folder)) {
            throw new UsageException("there is no folder " + Objects.requireNonNullElse(file.getParent(), folder)
                    + " for the database " + file.getFileName() + ": make it first");
        }
        if (!Files.isWritable(folder) || (Files.exists(file) && !Files.isWritable(file))) {
            throw new UsageException(
                    file + " cannot be written: SQLite needs to write the file and its folder, even to read");
        }
    }

    /** Thrown if the database is unreachable or refuses the connection. */
    static final class CannotConnect extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CannotConnect(String shownUrl, SQLException cause) {
            super(
                    "cannot connect to " + shownUrl + ": " + firstLine(cause) + reason(cause) + " (" + advice(cause)
                            + ")",
                    cause);
        }

        private static String advice(SQLException cause) {
            return Objects.requireNonNullElse(
                    TlsFailure.advice(cause),
                    "is the server running, and are host, database, user and password right?");
        }

        /** MySQL's driver hides the reason in its causes. */
        private static String reason(SQLException error) {
            Throwable root = error;
            while (root.getCause() != null && root.getCause() != root) {
                root = root.getCause();
            }
            String said = Objects.requireNonNullElse(error.getMessage(), "");
            if (root instanceof UnknownHostException) {
                return said.contains("nknown host") ? "" : ": unknown host";
            }
            String why = root.getMessage();
            return why == null || said.contains(why)
                    ? ""
                    : ": " + why.lines().findFirst().orElse("");
        }

        private static String firstLine(SQLException cause) {
            return Objects.requireNonNullElse(cause.getMessage(), cause.toString())
                    .lines()
                    .findFirst()
                    .orElse("");
        }
    }
}
