package dev.pawl.spring;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Listens to the application's transaction managers, to know which transactions are over: after a commit or a rollback, while
 * {@code afterCommit}, {@code afterCompletion} and {@code @TransactionalEventListener} are called, Spring still shows the
 * transaction to whoever asks, but nobody commits what is written in it any more. Declare one as a static bean; Pawl's starters
 * do. Thread-safe.
 */
public final class TransactionEnds implements BeanPostProcessor {
    /**
     * Whether their transactions are open. By identity: each transaction has its own, also those within others. Not Spring's map of
     * references: while one thread takes out what has been collected, another may not find what is there.
     */
    private static final Map<ConnectionHolder, Boolean> OPEN = Collections.synchronizedMap(new WeakHashMap<>());

    private static final TransactionExecutionListener LISTENER = new TransactionExecutionListener() {
        /**
         * The end is heard of as a synchronization, not by this listener's beforeCommit and beforeRollback: these are called for
         * savepoints, too, and before Hibernate writes what it has to write, in which entities' listeners may enqueue.
         */
        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            ConnectionHolder holder = failure == null && transaction.isNewTransaction() ? holder(transaction) : null;
            if (holder == null) {
                return;
            }
            OPEN.put(holder, true);
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(new End(holder));
            }
        }
    };

    /** Hears of it before all others. */
    private record End(ConnectionHolder holder) implements TransactionSynchronization {
        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCommit() {
            OPEN.put(holder, false);
        }

        @Override
        public void afterCompletion(int status) {
            OPEN.put(holder, false);
        }
    }

    /** Makes one that hears of every transaction manager among the beans. */
    public TransactionEnds() {}

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        follow(bean);
        return bean;
    }

    /** Not while it is in use: managers keep their listeners in a plain list. */
    static void follow(Object manager) {
        if (manager instanceof ConfigurableTransactionManager configurable
                && !configurable.getTransactionExecutionListeners().contains(LISTENER)) {
            configurable.addListener(LISTENER);
        }
    }

    private static @Nullable ConnectionHolder holder(TransactionExecution transaction) {
        return transaction instanceof DefaultTransactionStatus status
                        && status.hasTransaction()
                        && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
                        && jdbc.hasConnectionHolder()
                ? jdbc.getConnectionHolder()
                : null;
    }

    /** {@return whether the transaction of this connection is still open; null if its manager has no such listener} */
    static @Nullable Boolean isOpen(ConnectionHolder holder) {
        return OPEN.get(holder);
    }
}
