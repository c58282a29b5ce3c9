package dev.pawl.quarkus;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.Retention;
import io.quarkus.agroal.DataSource.DataSourceLiteral;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.annotation.Annotation;
import javax.sql.DataSource;

/** The queue of the application, on one of its datasources, unless the application declares its own queue bean. */
@Singleton
public class PawlProducer {
    @Produces
    @Singleton
    @DefaultBean
    JobQueue jobQueue(
            PawlConfig config,
            @Any Instance<DataSource> dataSources,
            TransactionManager transactions,
            TransactionSynchronizationRegistry registry,
            @Any Instance<PayloadCodec> codec,
            @Any Instance<EnqueueInterceptor> interceptors,
            @Any Instance<JobQueueCustomizer> customizers) {
        Annotation which =
                config.datasource().<Annotation>map(DataSourceLiteral::new).orElse(Default.Literal.INSTANCE);
        DataSource dataSource = dataSources.select(which).get();
        JobQueueBuilder builder = JobQueue.builder(new OwnConnections(dataSource, transactions))
                .transactions(new QuarkusTransactions(dataSource, registry));
        apply(config, builder);
        if (codec.isResolvable()) {
            builder.codec(codec.get());
        }
        interceptors.forEach(builder::interceptEnqueue);
        customizers.forEach(customizer -> customizer.customize(builder));
        return builder.open();
    }

    private static void apply(PawlConfig config, JobQueueBuilder builder) {
        builder.migrate(config.migrate()).tablePrefix(config.tablePrefix()).notifications(config.notifications());
        retention(config.retention(), builder);
        config.schema().ifPresent(builder::schema);
    }

    /** If no property is set, the setting that is stored in the database applies. */
    private static void retention(PawlConfig.RetentionProperties kept, JobQueueBuilder builder) {
        Retention defaults = Retention.DEFAULTS;
        if (kept.completed().isPresent()
                || kept.cancelled().isPresent()
                || kept.discarded().isPresent()) {
            builder.retention(defaults.completed(kept.completed().orElse(defaults.completed()))
                    .cancelled(kept.cancelled().orElse(defaults.cancelled()))
                    .discarded(kept.discarded().orElse(defaults.discarded())));
        }
    }
}
