package dev.pawl.testkit.junit;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.testkit.QueueTester;
import dev.pawl.testkit.TestQueue;
import java.lang.annotation.Annotation;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit Jupiter 5 or 6 an empty queue. The test, and its methods before and after each test, can have these parameters:
 * a {@link JobQueue}, a {@link QueueTester}, the {@link DataSource}, or the {@link TestQueue} that has all three. With {@link PawlTest}, or
 * {@code @ExtendWith(PawlExtension.class)}, the queue is in memory, and needs {@code org.xerial:sqlite-jdbc}. A test configures another
 * queue with {@code @RegisterExtension}. A test without such a parameter opens no queue. Parameters with a Spring annotation, such as
 * {@code @Autowired}, are left to Spring. Thread-safe.
 */
public final class PawlExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(PawlExtension.class);
    private static final Set<Class<?>> TYPES =
            Set.of(JobQueue.class, QueueTester.class, DataSource.class, TestQueue.class);

    private final Supplier<TestQueue> queues;

    /** Queues in memory, for {@code @ExtendWith}. */
    public PawlExtension() {
        this(TestQueue::inMemory);
    }

    private PawlExtension(Supplier<TestQueue> queues) {
        this.queues = queues;
    }

    /**
     * Queues in memory, with options.
     *
     * @param options sets the codec and the like
     * @return the extension
     */
    public static PawlExtension inMemory(UnaryOperator<JobQueueBuilder> options) {
        return new PawlExtension(() -> TestQueue.inMemory(options));
    }

    /**
     * Queues on your database, each test with its own tables, which are dropped after it.
     *
     * @param dataSource called before each test; never closed
     * @return the extension
     */
    public static PawlExtension on(Supplier<? extends DataSource> dataSource) {
        return new PawlExtension(() -> TestQueue.on(dataSource.get()));
    }

    /**
     * Like {@link #on(Supplier)}, with options.
     *
     * @param dataSource called before each test; never closed
     * @param options sets the codec and the like; a table prefix that it sets is replaced
     * @return the extension
     */
    public static PawlExtension on(Supplier<? extends DataSource> dataSource, UnaryOperator<JobQueueBuilder> options) {
        return new PawlExtension(() -> TestQueue.on(dataSource.get(), options));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType()) && !isSprings(parameter.getParameter());
    }

    /**
     * Returns whether Spring's extension resolves the parameter ({@code @Autowired} and the like). JUnit refuses two resolvers for one
     * parameter.
     */
    private static boolean isSprings(Parameter parameter) {
        return Arrays.stream(parameter.getAnnotations())
                .map(annotation -> annotation.annotationType())
                .flatMap(type -> Stream.concat(
                        Stream.of(type), Arrays.stream(type.getAnnotations()).map(Annotation::annotationType)))
                .anyMatch(type -> type.getName().startsWith("org.springframework."));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException("each test has a queue of its own, so "
                    + parameter.getDeclaringExecutable() + " cannot have one: take the "
                    + parameter.getParameter().getType().getSimpleName() + " in the test or in a @BeforeEach method");
        }
        TestQueue queue = queue(context.getStore(NAMESPACE));
        Class<?> type = parameter.getParameter().getType();
        if (type == JobQueue.class) {
            return queue.queue();
        } else if (type == QueueTester.class) {
            return queue.tester();
        }
        return type == DataSource.class ? queue.dataSource() : queue;
    }

    /** Needs no atomic method, because a single thread resolves a test's parameters. JUnit's atomic methods differ between 5 and 6. */
    private TestQueue queue(ExtensionContext.Store store) {
        TestQueue queue = store.get(TestQueue.class, TestQueue.class);
        if (queue == null) {
            queue = queues.get();
            store.put(TestQueue.class, queue);
        }
        return queue;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestQueue queue = context.getStore(NAMESPACE).remove(TestQueue.class, TestQueue.class);
        if (queue != null) {
            queue.close();
        }
    }
}
