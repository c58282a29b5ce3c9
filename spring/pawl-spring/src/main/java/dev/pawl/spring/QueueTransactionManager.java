package dev.pawl.spring;

import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Which of the application's transaction managers opens the transactions that complete jobs. */
public final class QueueTransactionManager {
    private QueueTransactionManager() {}

    /**
     * @param beans of the application
     * @param name of a bean; null to take the one that works on the queue's {@code DataSource}, or the primary one of several
     * @param dataSource of the queue
     * @return it; a new one if the application has none on that {@code DataSource}
     * @throws IllegalStateException if it is not clear which
     */
    public static PlatformTransactionManager choose(
            ListableBeanFactory beans, @Nullable String name, DataSource dataSource) {
        if (name != null) {
            return beans.getBean(name, PlatformTransactionManager.class);
        }
        Map<String, PlatformTransactionManager> fitting =
                new TreeMap<>(beans.getBeansOfType(PlatformTransactionManager.class));
        fitting.values().removeIf(manager -> !worksOn(manager, dataSource));
        if (fitting.isEmpty()) {
            return new JdbcTransactionManager(dataSource);
        }
        PlatformTransactionManager primary =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (primary != null && fitting.containsValue(primary)) {
            return primary;
        }
        if (fitting.size() > 1) {
            throw new IllegalStateException("several transaction managers work on the DataSource of the job queue ("
                    + String.join(", ", fitting.keySet())
                    + "): make one of them primary, or set pawl.transaction-manager to its name");
        }
        return fitting.values().iterator().next();
    }

    private static boolean worksOn(PlatformTransactionManager manager, DataSource dataSource) {
        return dataSourceOf(manager) instanceof DataSource own && QueueDataSource.pool(own) == dataSource;
    }

    /** Those of JPA and Hibernate have the property, too, but no interface that says so. */
    private static @Nullable Object dataSourceOf(PlatformTransactionManager manager) {
        if (manager instanceof ResourceTransactionManager resource
                && resource.getResourceFactory() instanceof DataSource own) {
            return own;
        }
        try {
            return new BeanWrapperImpl(manager).getPropertyValue("dataSource");
        } catch (BeansException | IllegalStateException noSuchProperty) {
            return null;
        }
    }
}
