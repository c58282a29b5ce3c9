package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The columns of options that few jobs have: concurrency key, batch, cost, expiry, and a unique key that is not in the index. A statement
 * has them only if one of its jobs {@linkplain #any needs} them, so that other jobs do not pay for them.
 */
public final class JobColumns {
    /** The columns that rows have, but lanes do not. Like {@link #SHARED}, it continues a list of columns. */
    public static final String OF_ROWS = ", job_key, unindexed_key";

    /** The columns that rows and lanes have. {@code expires_at} comes last, because its expression depends on the job. */
    public static final String SHARED = ", batch_id, cost, expires_at";

    /** The tags and headers, which rows and lanes have. */
    public static final String TEXTS = ", tags, headers";

    private JobColumns() {}

    /** {@return whether one of the jobs has a value for one of the columns} */
    public static boolean any(List<JobRequest> jobs) {
        return some(jobs, JobColumns::any);
    }

    /** {@return whether one of the jobs has tags or headers} */
    public static boolean anyTexts(List<JobRequest> jobs) {
        return some(
                jobs, options -> !options.tags().isEmpty() || !options.headers().isEmpty());
    }

    /** Most jobs of a list have the same options, which are then tested once. */
    @SuppressWarnings("ReferenceEquality") // equal options that are other objects are tested again
    private static boolean some(List<JobRequest> jobs, Predicate<EnqueueOptions> condition) {
        EnqueueOptions tested = null;
        for (JobRequest job : jobs) {
            if (job.options() != tested) {
                tested = job.options();
                if (condition.test(tested)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** {@return whether a job with such options has a value for one of the columns} */
    public static boolean any(EnqueueOptions options) {
        return options.key() != null
                || options.cost() != 1
                || options.expiresAt() != null
                || options.expiresIn() != null
                || OwnOptions.batch(options) != 0
                || OwnOptions.unindexedKey(options) != null;
    }

    /** {@return the cost as it is stored; null for the default cost of one start} */
    public static @Nullable Integer cost(EnqueueOptions options) {
        return options.cost() == 1 ? null : options.cost();
    }

    /** {@return the microseconds from the enqueue to the expiry; null if the options give the moment of the expiry, or no expiry} */
    public static @Nullable Long expiresIn(EnqueueOptions options) {
        Duration time = options.expiresIn();
        return time == null ? null : Math.max(1, Micros.of(time));
    }

    /**
     * {@return the expression for {@code expires_at} of a job with these options; it has one placeholder, or none if the job has no expiry}
     */
    public static String expiry(Dialect dialect, EnqueueOptions options) {
        if (options.expiresAt() != null) {
            return dialect.moment();
        }
        return options.expiresIn() == null ? "NULL" : dialect.nowPlusMicros();
    }

    /** {@return the value for the placeholder of {@link #expiry}; null if there is no placeholder} */
    public static @Nullable Object expiryValue(EnqueueOptions options) {
        Instant moment = options.expiresAt();
        return moment == null ? expiresIn(options) : moment;
    }

    /** Binds the columns {@link #TEXTS}; returns the next index. */
    public static int bindTexts(PreparedStatement statement, int index, EnqueueOptions options) throws SQLException {
        statement.setString(index, JsonStrings.tags(options.tags()));
        statement.setString(index + 1, JsonStrings.headers(options.headers()));
        return index + 2;
    }

    /** Binds the columns {@link #OF_ROWS}; returns the next index. */
    public static int bindOfRows(PreparedStatement statement, int index, EnqueueOptions options) throws SQLException {
        statement.setString(index, options.key());
        statement.setString(index + 1, OwnOptions.unindexedKey(options));
        return index + 2;
    }

    /** Binds batch and cost, of the columns {@link #SHARED}; returns the next index. */
    public static int bindShared(PreparedStatement statement, int index, EnqueueOptions options) throws SQLException {
        long batch = OwnOptions.batch(options);
        bind(statement, index, batch == 0 ? null : batch);
        Integer cost = cost(options);
        bind(statement, index + 1, cost == null ? null : cost.longValue());
        return index + 2;
    }

    /** Binds the placeholder of {@link #expiry}, if it has one; returns the next index. */
    public static int bindExpiry(Dialect dialect, PreparedStatement statement, int index, EnqueueOptions options)
            throws SQLException {
        Instant moment = options.expiresAt();
        if (moment != null) {
            dialect.bind(statement, index, moment);
            return index + 1;
        }
        Long after = expiresIn(options);
        if (after == null) {
            return index;
        }
        statement.setLong(index, after);
        return index + 1;
    }

    /** Binds a number that may be missing. */
    public static void bind(PreparedStatement statement, int index, @Nullable Long number) throws SQLException {
        if (number == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, number);
        }
    }
}
