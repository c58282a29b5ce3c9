package dev.pawl.spring;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.bean.FoundHandler;
import dev.pawl.internal.bean.HandlerDeclaration;
import dev.pawl.internal.bean.HandlerMethod;
import dev.pawl.schedule.Schedule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
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
            all.add(HandlerDeclaration.placed(place, () -> ofMethod(place, found)));
        }
        for (String bean : search.handlerBeans()) {
            String place = "bean '" + bean + "'";
            all.add(HandlerDeclaration.placed(place, () -> ofBean(place, bean)));
        }
        return all;
    }

    private FoundHandler ofMethod(String place, HandlerSearch.OnMethod found) {
        requireInTheThreadOfItsRun(found.method(), found.owner());
        HandlerDeclaration declared = declaration(found.annotation());
        HandlerMethod method = SpringMethod.of(found.method(), found.owner(), declared.chunk() > 0);
        JobType<Object> type = declared.type(method.token());
        Class<?> seen = beans.getType(found.bean());
        requireCallable(found.method(), seen);
        HandlerMethod.Call call = SpringMethod.call(
                found.method(), seen == null ? found.owner() : seen, () -> beans.getBean(found.bean()));
        Recurring recurring = AnnotatedElementUtils.findMergedAnnotation(found.method(), Recurring.class);
        Recurrences recurrences = new Recurrences(texts);
        Schedule<?> schedule = recurring == null ? null : recurrences.schedule(recurring, type);
        return new FoundHandler(
                place,
                found.owner(),
                type,
                declared.handler(method, call),
                declared.options(),
                declared.transactional(),
                new FoundHandler.Recurs(
                        schedule, recurring != null && schedule == null ? recurrences.name(recurring, type) : null));
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
        HandlerDeclaration declared = declaration(annotation);
        return new FoundHandler(
                place,
                owner,
                declared.type(TypeToken.ofType(payload.getType())),
                declared.handler(handler),
                declared.options(),
                declared.transactional(),
                FoundHandler.Recurs.NOT);
    }

    /**
     * A job is completed when its handler returns. Work that continues on another thread would not be repeated after a failure or a crash.
     */
    private static void requireInTheThreadOfItsRun(@Nullable Method handle, Class<?> owner) {
        if (AnnotatedElementUtils.hasAnnotation(owner, Async.class)
                || (handle != null && AnnotatedElementUtils.hasAnnotation(handle, Async.class))) {
            throw new IllegalStateException(
                    "it is @Async, so it would return, and its job be completed, before the work is done:"
                            + " remove @Async, a worker has threads of its own");
        }
    }

    /** A class proxy cannot delegate final methods. They would run on the proxy itself, whose fields are not set. */
    private static void requireCallable(Method method, @Nullable Class<?> seen) {
        if (seen != null
                && SpringProxy.class.isAssignableFrom(seen)
                && !Proxy.isProxyClass(seen)
                && Modifier.isFinal(method.getModifiers())) {
            throw new IllegalStateException("it is final, and Spring has put a proxy around its bean"
                    + " (for @Transactional or another aspect), which cannot call it: remove 'final'");
        }
    }

    private HandlerDeclaration declaration(JobHandler annotation) {
        return new HandlerDeclaration(
                texts.resolved(annotation.value()),
                annotation.version(),
                HandlerDeclaration.defaults(texts.resolved(annotation.queue()), annotation.attempts()),
                options(annotation),
                annotation.transactional(),
                annotation.chunk());
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
            throw new IllegalStateException(
                    "its retryPolicy '" + bean
                            + "' is not a bean of type RetryPolicy: declare one, or correct the name",
                    e);
        }
    }
}
