package dev.pawl.spring;

import dev.pawl.api.JobRun;
import java.sql.Connection;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Opens a Spring transaction for the run of a job, and returns only if it has committed. */
final class RunTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(RunTransaction.class);

    private final PlatformTransactionManager manager;
    private final DataSource pool;
    private boolean committed;

    RunTransaction(PlatformTransactionManager manager, DataSource pool) {
        this.manager = manager;
        this.pool = pool;
    }

    void run(JobRun.TransactionWork work) throws Exception {
        try {
            template().executeWithoutResult(status -> inside(status, work));
        } catch (Carried carried) {
            throw carried.cause;
        } catch (Throwable failure) { // also checked exceptions, which Kotlin and proxies throw undeclared
            if (!committed) {
                throw failure;
            }
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.warn("what was to happen after the commit of a job has failed; the job stays completed", failure);
        }
    }

    /** Tests a transaction by opening one and rolling it back. */
    void check() {
        template().executeWithoutResult(status -> {
            requireOurs();
            status.setRollbackOnly();
        });
    }

    private TransactionTemplate template() {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setName("the run of a job");
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }

    private void requireOurs() {
        if (!BoundConnection.isInTransaction(pool)) {
            throw new IllegalTransactionStateException("the transaction manager " + manager
                    + " does not work on the DataSource of the job queue, or does not show its JDBC connection: set"
                    + " pawl.transaction-manager to the name of one that does");
        }
    }

    private void inside(TransactionStatus status, JobRun.TransactionWork work) {
        requireOurs();
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int end) {
                    committed = end == STATUS_COMMITTED;
                }
            });
        }
        Connection connection = DataSourceUtils.getConnection(pool);
        try {
            work.run(connection);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new Carried(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, pool);
        }
        if (status.isRollbackOnly()) {
            throw new UnexpectedRollbackException("the transaction of the run was marked for rollback, by"
                    + " setRollbackOnly or by an exception that passed through @Transactional and was caught: nothing is"
                    + " written, and the job is not completed");
        }
    }

    /** Carries a checked exception through Spring's template. */
    private static final class Carried extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Exception cause;

        Carried(Exception cause) {
            super(null, cause, false, false);
            this.cause = cause;
        }
    }
}
