package dev.pawl.micronaut;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.PayloadCodec;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The queue of the application, on one of its datasources. An application replaces it by a bean with {@code @Replaces(JobQueue.class)}. */
@Factory
@Requires(property = "pawl.enabled", notEquals = "false", defaultValue = "true")
final class PawlFactory {
    /** Opens the queue on the pool itself, so that Pawl's own statements run outside Micronaut's transactions. */
    @Singleton
    @Bean(preDestroy = "close")
    @SuppressWarnings("unchecked") // the Argument has the type parameter
    JobQueue jobQueue(
            BeanContext beans,
            PawlConfiguration configuration,
            Optional<PayloadCodec> codec,
            List<EnqueueInterceptor> interceptors,
            List<JobQueueCustomizer> customizers) {
        var named = Qualifiers.<DataSource>byName(configuration.datasource());
        DataSource dataSource = beans.getBean(DataSource.class, named);
        TransactionOperations<Connection> transactions = beans.getBean(
                Argument.of(
                        (Class<TransactionOperations<Connection>>) (Class<?>) TransactionOperations.class,
                        Connection.class),
                Qualifiers.byName(configuration.datasource()));
        JobQueueBuilder builder = JobQueue.builder(DelegatingDataSource.unwrapDataSource(dataSource))
                .transactions(new MicronautTransactions(transactions));
        configuration.apply(builder);
        codec.ifPresent(builder::codec);
        interceptors.forEach(builder::interceptEnqueue);
        customizers.forEach(customizer -> customizer.customize(builder));
        return builder.open();
    }
}
