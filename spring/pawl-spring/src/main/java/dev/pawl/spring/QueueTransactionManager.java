package dev.pawl.spring;

import java.util.List;
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

/** Selects the transaction manager for the transactions that complete jobs. */
public final class QueueTransactionManager {
    /** Managers that may hide their connections. They are given by name, because not every class path contains all of them. */
    private static final List<String> HIDING = List.of(
            "org.springframework.transaction.jta.JtaTransactionManager",
            "org.springframework.orm.jpa.JpaTransactionManager",
            "org.springframework.orm.hibernate5.HibernateTransactionManager");

    private QueueTransactionManager() {}

    /**
     * @param beans of the application
     * @param name of a bean; null to take the one that works on the queue's {@code DataSource}, or the primary one of
     *     several
     * @param dataSource of the queue
     * @return the manager; a new one if the application has none on that {@code DataSource}
     * @throws ConfigurationException if the choice is ambiguous, or a manager, such as JTA's, does not expose its
     *     connections
     */
    public static PlatformTransactionManager choose(
            ListableBeanFactory beans, @Nullable String name, DataSource dataSource) {
        if (name != null) {
            return NamedBean.of(beans, "pawl.transaction-manager", name, PlatformTransactionManager.class);
        }
        Map<String, PlatformTransactionManager> fitting =
                new TreeMap<>(beans.getBeansOfType(PlatformTransactionManager.class));
        fitting.values().removeIf(manager -> !worksOn(manager, dataSource));
        if (fitting.isEmpty()) {
            requireNoneHidden(beans);
            JdbcTransactionManager own = new JdbcTransactionManager(dataSource);
            TransactionEnds.follow(own);
            return own;
        }
        PlatformTransactionManager primary =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (primary != null && fitting.containsValue(primary)) {
            return primary;
        }
        if (fitting.size() > 1) {
            throw new ConfigurationException(
                    "several transaction managers work on the DataSource of the job queue ("
                            + String.join(", ", fitting.keySet()) + ")",
                    "set pawl.transaction-manager to the name of one, or make one of them primary");
        }
        return fitting.values().iterator().next();
    }

    /**
     * Refuses managers that may use the queue's database but do not expose their connections: a separate transaction
     * beside theirs would only seem to contain the application's writes.
     */
    private static void requireNoneHidden(ListableBeanFactory beans) {
        beans.getBeansOfType(PlatformTransactionManager.class).forEach((name, manager) -> {
            if (dataSourceOf(manager) == null && HIDING.stream().anyMatch(type -> isA(manager.getClass(), type))) {
                throw new ConfigurationException(
                        "the transaction manager '" + name + "' ("
                                + manager.getClass().getName()
                                + ") does not show Spring the JDBC connection of its transactions, so they cannot complete"
                                + " jobs",
                        "declare a JdbcTransactionManager or JpaTransactionManager on the DataSource of the job queue and"
                                + " set pawl.transaction-manager to its name, or handle jobs without transactional = true"
                                + " and run.transaction");
            }
        });
    }

    private static boolean isA(Class<?> type, String name) {
        return type.getName().equals(name) || (type.getSuperclass() != null && isA(type.getSuperclass(), name));
    }

    private static boolean worksOn(PlatformTransactionManager manager, DataSource dataSource) {
        return dataSourceOf(manager) instanceof DataSource own && QueueDataSource.pool(own) == dataSource;
    }

    /** The managers of JPA and Hibernate have a property {@code dataSource} too, but no interface through which it can be read. */
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
