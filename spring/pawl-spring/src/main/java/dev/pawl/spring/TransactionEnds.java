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
 * Listens to the application's transaction managers to know which transactions have ended. This is needed because after a commit or a
 * rollback, while {@code afterCommit}, {@code afterCompletion} and {@code @TransactionalEventListener} are called, Spring still exposes the
 * transaction, but writes in it are no longer committed. Declare this class as a static bean; Pawl's starters do. Thread-safe.
 */
public final class TransactionEnds implements BeanPostProcessor {
    /**
     * Whether the transactions of these holders are open. Each transaction, even a nested one, has its own holder, and holders are compared
     * by identity. Spring's ConcurrentReferenceHashMap is not used, because a thread may miss entries while another one purges collected
     * ones.
     */
    private static final Map<ConnectionHolder, Boolean> OPEN = Collections.synchronizedMap(new WeakHashMap<>());

    private static final TransactionExecutionListener LISTENER = new TransactionExecutionListener() {
        /**
         * Uses a synchronization instead of this listener's beforeCommit and beforeRollback, because these are also called for savepoints,
         * and are called before Hibernate flushes. During a flush, entity listeners may still enqueue.
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

    /** Runs before all other synchronizations. */
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

    /** Creates a listener for every transaction manager among the beans. */
    public TransactionEnds() {}

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        follow(bean);
        return bean;
    }

    /** Adds the listener to a manager that is not in use yet, because managers keep their listeners in a list that is not thread-safe. */
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
