package dev.pawl.quarkus;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.bean.FoundHandler;
import dev.pawl.internal.bean.HandlerDeclaration;
import dev.pawl.internal.bean.HandlerMethod;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;
import io.quarkus.arc.InjectableBean;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.arc.ManagedContext;
import io.quarkus.runtime.configuration.DurationConverter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The beans with {@link JobHandler} methods, which the build has found. Immutable. */
public class HandlerBeans {
    private final Map<String, Class<?>> classes;

    /** @param classes of the beans, by the identifiers of the beans */
    HandlerBeans(Map<String, Class<?>> classes) {
        this.classes = Map.copyOf(classes);
    }

    List<FoundHandler> all() {
        List<FoundHandler> found = new ArrayList<>();
        classes.forEach((identifier, type) -> {
            Object bean = bean(identifier);
            for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
                for (Method method : each.getDeclaredMethods()) {
                    JobHandler annotation = method.getAnnotation(JobHandler.class);
                    if (annotation != null && !method.isBridge()) {
                        String place = type.getName() + "." + method.getName();
                        found.add(HandlerDeclaration.placed(place, () -> handler(place, bean, method, annotation)));
                    }
                }
            }
        });
        return found;
    }

    private static Object bean(String identifier) {
        ArcContainer container = Arc.container();
        InjectableBean<Object> bean = container.bean(identifier);
        InstanceHandle<Object> instance = container.instance(bean);
        return instance.get();
    }

    private static FoundHandler handler(String place, Object bean, Method method, JobHandler annotation) {
        HandlerDeclaration declared = new HandlerDeclaration(
                annotation.value(),
                annotation.version(),
                HandlerDeclaration.defaults(annotation.queue(), annotation.attempts()),
                options(annotation),
                annotation.transactional(),
                annotation.chunk());
        HandlerMethod shape = new HandlerMethod(
                method.getReturnType(), List.of(method.getGenericParameterTypes()), declared.chunk() > 0);
        method.setAccessible(true);
        HandlerMethod.Call call = inRequestContext(HandlerMethod.reflective(method, () -> bean));
        return new FoundHandler(
                place,
                method.getDeclaringClass(),
                declared.type(shape.token()),
                declared.handler(shape, call),
                declared.options(),
                declared.transactional(),
                FoundHandler.Recurs.NOT);
    }

    private static HandlerMethod.Call inRequestContext(HandlerMethod.Call call) {
        return arguments -> {
            ManagedContext request = Arc.container().requestContext();
            if (request.isActive()) {
                return call.invoke(arguments);
            }
            request.activate();
            try {
                return call.invoke(arguments);
            } finally {
                request.terminate();
            }
        };
    }

    private static HandlerOptions options(JobHandler annotation) {
        HandlerOptions options = HandlerOptions.DEFAULTS.weight(annotation.weight());
        if (!annotation.timeout().isEmpty()) {
            options = options.timeout(DurationConverter.parseDuration(annotation.timeout()));
        }
        return annotation.retryPolicy().isEmpty() ? options : options.retryPolicy(policy(annotation.retryPolicy()));
    }

    private static RetryPolicy policy(String name) {
        InstanceHandle<Object> bean = Arc.container().instance(name);
        if (bean.get() instanceof RetryPolicy policy) {
            return policy;
        }
        throw new IllegalStateException(
                "its retryPolicy '" + name + "' is not a bean of type RetryPolicy: declare one, or correct the name");
    }
}
