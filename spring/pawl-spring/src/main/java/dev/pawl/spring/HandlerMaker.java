package dev.pawl.spring;

import dev.pawl.api.ChunkHandler;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handler;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobHandler.WithOutcome;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.engine.Completing;
import dev.pawl.schedule.Schedule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/** Creates handlers from the declarations found among the beans. */
final class HandlerMaker {
    private final ConfigurableListableBeanFactory beans;
    private final HandlerSearch search;
    private final Texts texts;

    HandlerMaker(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.search = new HandlerSearch(beans);
        this.texts = new Texts(beans);
    }

    List<FoundHandler> all() {
        List<FoundHandler> all = new ArrayList<>();
        for (HandlerSearch.OnMethod found : search.methods()) {
            String place = found.owner().getName() + "." + found.method().getName() + " (bean '" + found.bean() + "')";
            all.add(placed(place, () -> ofMethod(place, found)));
        }
        for (String bean : search.handlerBeans()) {
            String place = "bean '" + bean + "'";
            all.add(placed(place, () -> ofBean(place, bean)));
        }
        return all;
    }

    private interface Making {
        FoundHandler make();
    }

    private static FoundHandler placed(String place, Making making) {
        try {
            return making.make();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new IllegalStateException(place + " cannot handle jobs: " + e.getMessage(), e);
        }
    }

    private FoundHandler ofMethod(String place, HandlerSearch.OnMethod found) {
        requireInTheThreadOfItsRun(found.method(), found.owner());
        JobHandler annotation = found.annotation();
        HandlerMethod method = new HandlerMethod(found.method(), found.owner(), annotation.chunk() > 0);
        JobType<Object> type = type(annotation, method.token());
        Class<?> seen = beans.getType(found.bean());
        requireCallable(found.method(), seen);
        Supplier<Object> bean = () -> beans.getBean(found.bean());
        Class<?> beanType = seen == null ? found.owner() : seen;
        Recurring recurring = AnnotatedElementUtils.findMergedAnnotation(found.method(), Recurring.class);
        Recurrences recurrences = new Recurrences(texts);
        Schedule<?> schedule = recurring == null ? null : recurrences.schedule(recurring, type);
        return new FoundHandler(
                place,
                found.owner(),
                type,
                method.chunked()
                        ? chunked(annotation, method.onChunk(bean, beanType))
                        : completing(annotation, method.on(bean, beanType)),
                options(annotation),
                annotation.transactional(),
                new FoundHandler.Recurs(
                        schedule, recurring != null && schedule == null ? recurrences.name(recurring, type) : null));
    }

    private static <T> Handler<T> completing(JobHandler annotation, WithOutcome<T> handler) {
        if (annotation.chunk() > 0) {
            throw new IllegalStateException("chunk = " + annotation.chunk()
                    + " needs a handler of many jobs: a ChunkHandler, or a method with a"
                    + " List of payloads or a Chunk");
        }
        return Handlers.completing(annotation.transactional() ? TransactionalHandler.around(handler) : handler);
    }

    private static <T> Handler<T> chunked(JobHandler annotation, ChunkHandler<T> handler) {
        if (annotation.transactional()) {
            throw new IllegalStateException(
                    "transactional = true does not work with many jobs in one call: remove it, and"
                            + " call chunk.transaction(…)");
        }
        if (annotation.chunk() < 1) {
            throw new IllegalStateException(
                    "it is a ChunkHandler, so it needs a size: @JobHandler(value = …, chunk = 100)");
        }
        return Handlers.chunked(annotation.chunk(), handler);
    }

    @SuppressWarnings("unchecked") // the search has determined the payload's type
    private static Handler<Object> handler(JobHandler annotation, Object bean) {
        if (bean instanceof ChunkHandler<?> chunks) {
            return chunked(annotation, (ChunkHandler<Object>) chunks);
        }
        if (!(bean instanceof dev.pawl.api.JobHandler<?> plain)) {
            return completing(annotation, (WithOutcome<Object>) bean);
        }
        dev.pawl.api.JobHandler<Object> typed = (dev.pawl.api.JobHandler<Object>) plain;
        return annotation.transactional()
                ? Handlers.completing(TransactionalHandler.aroundPlain(typed))
                : completing(annotation, Completing.of(typed));
    }

    private FoundHandler ofBean(String place, String bean) {
        JobHandler annotation = beans.findAnnotationOnBean(bean, JobHandler.class);
        if (annotation == null) {
            throw new IllegalStateException("it is a JobHandler, but its kind is missing: put"
                    + " @dev.pawl.spring.JobHandler(\"kind\") on its class or its @Bean method");
        }
        ResolvableType payload = search.payload(bean);
        if (payload == null) {
            throw new IllegalStateException(
                    "the type of its payload is not declared: let the class implement, or the @Bean"
                            + " method return, JobHandler<YourPayload>");
        }
        Object handler = beans.getBean(bean);
        Class<?> owner = AopUtils.getTargetClass(handler);
        Method handle = ReflectionUtils.findMethod(owner, "handle", (Class<?>[]) null);
        requireInTheThreadOfItsRun(handle, owner);
        return new FoundHandler(
                place,
                owner,
                type(annotation, TypeToken.ofType(payload.getType())),
                handler(annotation, handler),
                options(annotation),
                annotation.transactional(),
                FoundHandler.Recurs.NOT);
    }

    /** A job is completed when its handler returns, so work that continues on another thread would be lost with a crash or a failure. */
    private static void requireInTheThreadOfItsRun(@Nullable Method handle, Class<?> owner) {
        if (AnnotatedElementUtils.hasAnnotation(owner, Async.class)
                || (handle != null && AnnotatedElementUtils.hasAnnotation(handle, Async.class))) {
            throw new IllegalStateException(
                    "it is @Async, so it would return, and its job be completed, before the work is done:"
                            + " remove @Async, a worker has threads of its own");
        }
    }

    /** A class proxy cannot delegate final methods: they would run on the proxy itself, which has no fields. */
    private static void requireCallable(Method method, @Nullable Class<?> seen) {
        if (seen != null
                && SpringProxy.class.isAssignableFrom(seen)
                && !Proxy.isProxyClass(seen)
                && Modifier.isFinal(method.getModifiers())) {
            throw new IllegalStateException("it is final, and Spring has put a proxy around its bean"
                    + " (for @Transactional or another aspect), which cannot call it: remove 'final'");
        }
    }

    @SuppressWarnings("unchecked") // only the codec and the handler use payloads, and both take this type
    private JobType<Object> type(JobHandler annotation, TypeToken<?> payload) {
        String kind = texts.resolved(annotation.value());
        if (kind.isEmpty()) {
            throw new IllegalStateException("its kind is missing: write @JobHandler(\"kind\")");
        }
        EnqueueOptions defaults = EnqueueOptions.DEFAULTS;
        String queue = texts.given(annotation.queue());
        if (queue != null) {
            defaults = defaults.queue(queue);
        }
        if (annotation.attempts() != 0) {
            defaults = defaults.maxAttempts(annotation.attempts());
        }
        return (JobType<Object>)
                JobType.of(kind, payload).withDefaults(defaults).version(annotation.version());
    }

    private HandlerOptions options(JobHandler annotation) {
        HandlerOptions options = HandlerOptions.DEFAULTS.weight(annotation.weight());
        String timeout = texts.given(annotation.timeout());
        if (timeout != null) {
            options = options.timeout(Texts.duration(timeout));
        }
        String policy = texts.given(annotation.retryPolicy());
        return policy == null ? options : options.retryPolicy(retryPolicy(policy));
    }

    private RetryPolicy retryPolicy(String bean) {
        try {
            return beans.getBean(bean, RetryPolicy.class);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw new IllegalStateException("its retryPolicy '" + bean
                            + "' is not a bean of type RetryPolicy: declare one, or correct the name", e);
        }
    }
}
