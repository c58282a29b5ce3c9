package dev.pawl.spring;

import dev.pawl.internal.jdbc.FrameworkPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of a queue that was opened without {@link SpringTransactions}. Enqueues join Spring's transactions if the pool is a {@code
 * TransactionAwareDataSourceProxy}, or unwraps to one. Otherwise the first enqueue within a Spring transaction is logged. Thread-safe.
 */
final class SpringPool implements FrameworkPool {
    private static final Logger LOG = LoggerFactory.getLogger(SpringPool.class);

    private final DataSource given;
    private final DataSource plain;
    private final AtomicBoolean warned = new AtomicBoolean();

    private SpringPool(DataSource given, DataSource plain) {
        this.given = given;
        this.plain = plain;
    }

    /** @throws LinkageError if Spring's JDBC support is not on the class path */
    static SpringPool of(DataSource given) {
        boolean unused = BoundConnection.isInTransaction(given); // links the classes that surrounding() needs
        return new SpringPool(given, QueueDataSource.pool(given));
    }

    @Override
    public DataSource plain() {
        return plain;
    }

    @Override
    public @Nullable Connection surrounding() throws SQLException {
        boolean joins = plain != given;
        if ((!joins && warned.get()) || !BoundConnection.isInTransaction(plain)) {
            return null;
        }
        if (!joins) {
            warnOnce();
            return null;
        }
        if (isOver()) {
            return null;
        }
        Connection connection = given.getConnection();
        boolean joined = false;
        try {
            joined = !connection.getAutoCommit(); // otherwise the bound connection is not in a transaction
        } finally {
            if (!joined) {
                connection.close();
            }
        }
        return joined ? connection : null;
    }

    /** After the end of a transaction an enqueue must not join it, because its writes would not be committed. */
    private boolean isOver() {
        EndOfTransaction.State state = EndOfTransaction.state(BoundConnection.isOpen(plain));
        if (state == EndOfTransaction.State.UNCLEAR) {
            throw new IllegalStateException(
                    "a job is enqueued after the end of a transaction, while another one may have"
                            + " begun: Spring does not say, so the job might be lost. Enqueue it before the end (in"
                            + " @TransactionalEventListener, phase BEFORE_COMMIT), or outside of any transaction, or declare a"
                            + " static bean of type " + TransactionEnds.class.getName() + ", which can tell");
        }
        return state == EndOfTransaction.State.OVER;
    }

    private void warnOnce() {
        if (!warned.getAndSet(true)) {
            LOG.warn(
                    "a job was enqueued within a transaction of Spring's, but commits by itself, even if that is rolled back:"
                            + " open the queue with new TransactionAwareDataSourceProxy(dataSource), or pass the transaction's"
                            + " connection to enqueue");
        }
    }
}
