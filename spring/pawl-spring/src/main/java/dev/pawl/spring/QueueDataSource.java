package dev.pawl.spring;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Selects the {@code DataSource} of the queue. */
public final class QueueDataSource {
    private QueueDataSource() {}

    /**
     * @param beans of the application
     * @param name of a bean; null to take the one with {@link PawlDataSource}, else the only or primary one
     * @param marked those with {@link PawlDataSource}
     * @return the pool behind any transaction-aware proxy
     * @throws ConfigurationException if there is none, or the choice is ambiguous
     */
    public static DataSource choose(
            ListableBeanFactory beans, @Nullable String name, ObjectProvider<DataSource> marked) {
        if (name != null) {
            return pool(NamedBean.of(beans, "pawl.datasource", name, DataSource.class));
        }
        DataSource found = marked.getIfAvailable();
        if (found == null) {
            found = beans.getBeanProvider(DataSource.class).getIfUnique();
        }
        if (found == null) {
            String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class);
            throw names.length == 0
                    ? new ConfigurationException(
                            "there is no DataSource for the job queue",
                            "set spring.datasource.url, declare a DataSource, or switch Pawl off with pawl.enabled=false")
                    : new ConfigurationException(
                            "it is not clear which DataSource has the job queue (" + String.join(", ", names) + ")",
                            "set pawl.datasource to the name of one, or put @PawlDataSource on its @Bean method");
        }
        return pool(found);
    }

    /**
     * @param dataSource possibly a proxy that returns the connection of the surrounding transaction
     * @return the DataSource behind it, to which Spring binds transactions
     */
    static DataSource pool(DataSource dataSource) {
        DataSource pool = dataSource;
        while (proxy(pool) instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            pool = proxy.getTargetDataSource();
        }
        return pool;
    }

    /** A wrapper for observation or metrics may be around the transaction-aware proxy. */
    private static DataSource proxy(DataSource pool) {
        try {
            return !(pool instanceof TransactionAwareDataSourceProxy)
                            && pool.isWrapperFor(TransactionAwareDataSourceProxy.class)
                    ? pool.unwrap(TransactionAwareDataSourceProxy.class)
                    : pool;
        } catch (SQLException | RuntimeException | AbstractMethodError cannotTell) {
            return pool;
        }
    }
}
