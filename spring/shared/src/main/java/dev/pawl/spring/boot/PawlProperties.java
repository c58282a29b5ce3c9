package dev.pawl.spring.boot;

import dev.pawl.spring.OtherTransactions;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code pawl.*}. Ranges are checked when the queue is opened and the worker starts.
 *
 * @param enabled Whether there is a job queue.
 * @param datasource Name of the DataSource bean of the queue's database. Default: the one with @PawlDataSource, else the only or primary
 *     one.
 * @param transactionManager Name of the transaction manager that opens the transactions that complete jobs. Default: the one that works on
 *     the queue's DataSource.
 * @param otherTransactions How to treat an enqueue within a transaction that is not on the queue's DataSource.
 * @param migrate Whether startup creates and updates the tables. Otherwise they must exist in the version that this program needs.
 * @param tablePrefix Prefix of the name of every table: lower-case letters, digits and underscores, at most 21, a letter first.
 * @param schema Schema of the tables; on MySQL and MariaDB, another database of the server. Default: the default schema of the connections.
 * @param notifications Whether workers in other processes are notified of new jobs at once, if the database supports it.
 * @param notifyInTransactions Whether an enqueue in a transaction also notifies. Default: true, unless the server allows prepared
 *     transactions.
 * @param maxPayload Largest payload to accept, 1B to 16000000B.
 * @param maxWaiting Maximum number of waiting jobs by queue name, beyond which enqueues are refused.
 * @param retention How long finished jobs are kept.
 * @param worker The worker of this application.
 * @param dashboard The dashboard, if this application serves it.
 */
@ConfigurationProperties("pawl")
public record PawlProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String datasource,
        @Nullable String transactionManager,
        @DefaultValue("refuse") OtherTransactions otherTransactions,
        @DefaultValue("true") boolean migrate,
        @DefaultValue("pawl_") String tablePrefix,
        @Nullable String schema,
        @DefaultValue("true") boolean notifications,
        @Nullable Boolean notifyInTransactions,
        @DefaultValue("1MB") DataSize maxPayload,
        @DefaultValue Map<String, Integer> maxWaiting,
        @DefaultValue Retention retention,
        @NestedConfigurationProperty @DefaultValue WorkerProperties worker,
        @NestedConfigurationProperty @DefaultValue DashboardProperties dashboard) {

    /**
     * How long finished jobs are kept. If at least one of the three properties is set, the defaults of the others are 1d for completed, 7d
     * for cancelled and 90d for discarded. If none is set, the setting stored in the database applies.
     *
     * @param completed How long completed jobs are kept; zero deletes them on completion.
     * @param cancelled How long cancelled jobs are kept.
     * @param discarded How long discarded jobs are kept; more than zero.
     */
    public record Retention(
            @Nullable Duration completed,
            @Nullable Duration cancelled,
            @Nullable Duration discarded) {}
}
