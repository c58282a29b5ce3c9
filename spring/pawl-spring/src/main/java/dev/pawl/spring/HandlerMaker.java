package dev.pawl.spring;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobHandler.WithOutcome;
import dev.pawl.api.JobType;
import dev.pawl.api.TypeToken;
import dev.pawl.schedule.Schedule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
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
        HandlerMethod method = new HandlerMethod(found.method(), found.owner());
        JobType<Object> type = type(found.annotation(), method.token());
        Class<?> seen = beans.getType(found.bean());
        requireCallable(found.method(), seen);
        WithOutcome<Object> handler = method.on(() -> beans.getBean(found.bean()), seen == null ? found.owner() : seen);
        Recurring recurring = AnnotatedElementUtils.findMergedAnnotation(found.method(), Recurring.class);
        Recurrences recurrences = new Recurrences(texts);
        Schedule<?> schedule = recurring == null ? null : recurrences.schedule(recurring, type);
        return new FoundHandler(
                place,
                type,
                found.annotation().transactional() ? TransactionalHandler.around(handler) : handler,
                options(found.annotation()),
                found.annotation().transactional(),
                schedule,
                recurring != null && schedule == null ? recurrences.name(recurring, type) : null);
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
        if (annotation.transactional()) {
            handler = handler instanceof dev.pawl.api.JobHandler<?> plain
                    ? TransactionalHandler.aroundPlain(plain)
                    : TransactionalHandler.around((WithOutcome<?>) handler);
        }
        return new FoundHandler(
                place,
                type(annotation, TypeToken.ofType(payload.getType())),
                handler,
                options(annotation),
                annotation.transactional(),
                null,
                null);
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
            throw new IllegalStateException("its kind is missing: @JobHandler(\"kind\")");
        }
        return (JobType<Object>) JobType.of(kind, payload).version(annotation.version());
    }

    private HandlerOptions options(JobHandler annotation) {
        HandlerOptions options = HandlerOptions.DEFAULTS.weight(annotation.weight());
        String timeout = texts.given(annotation.timeout());
        return timeout == null ? options : options.timeout(Texts.duration(timeout));
    }
}
