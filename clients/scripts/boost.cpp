// Boost.Compute's algorithms on OpenCL beside the standard library's. Prints a line for each comparison.
#define CL_TARGET_OPENCL_VERSION 120
#define BOOST_COMPUTE_DEBUG_KERNEL_COMPILATION
#include <boost/compute.hpp>
#include <boost/compute/algorithm.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace bc = boost::compute;

static bc::command_queue *queue;

template <typename T> bc::vector<T> up(const std::vector<T> &v) { return bc::vector<T>(v.begin(), v.end(), *queue); }

template <typename T> static bool near(T a, T b, double tolerance) { return a == b || std::fabs(double(a) - double(b)) <= tolerance * std::max(1.0, std::fabs(double(b))); }

template <typename T> void same(const std::string &name, const std::vector<T> &want, const std::vector<T> &got, double tolerance = 0) {
	if (want.size() != got.size()) {
		std::printf("fail %s: %zu elements, expected %zu\n", name.c_str(), got.size(), want.size());
		return;
	}
	for (size_t i = 0; i < want.size(); i++)
		if (!near(got[i], want[i], tolerance)) {
			std::printf("fail %s: element %zu is %g, expected %g\n", name.c_str(), i, double(got[i]), double(want[i]));
			return;
		}
	std::printf("pass %s\n", name.c_str());
}

template <typename T> std::vector<T> down(const bc::vector<T> &v) {
	std::vector<T> host(v.size());
	bc::copy(v.begin(), v.end(), host.begin(), *queue);
	return host;
}

template <typename T> void value(const std::string &name, T want, T got, double tolerance = 0) { same(name, std::vector<T>{want}, std::vector<T>{got}, tolerance); }

template <typename T> void algorithms(const std::string &type, size_t n) {
	std::mt19937 random(n);
	std::vector<T> host(n), other(n);
	for (auto &x : host) x = T(int(random() % 2001) - (std::is_signed<T>::value ? 1000 : 0));
	for (auto &x : other) x = T(int(random() % 2001) - (std::is_signed<T>::value ? 1000 : 0));
	const double tolerance = std::is_floating_point<T>::value ? 1e-4 : 0;
	auto label = [&](const char *s) { return std::string(s) + "/" + type + "/" + std::to_string(n); };
	auto &q = *queue;

	auto v = up(host), w = up(other);
	auto sorted = host;
	std::sort(sorted.begin(), sorted.end());
	bc::sort(v.begin(), v.end(), q);
	same(label("sort"), sorted, down(v));
	value(label("is_sorted"), 1, int(bc::is_sorted(v.begin(), v.end(), q)));

	auto falling = sorted;
	std::reverse(falling.begin(), falling.end());
	auto s = up(host);
	bc::sort(s.begin(), s.end(), bc::greater<T>(), q);
	same(label("sort greater"), falling, down(s));
	bc::reverse(s.begin(), s.end(), q);
	same(label("reverse"), sorted, down(s));
	s = up(host);
	bc::stable_sort(s.begin(), s.end(), q);
	same(label("stable_sort"), sorted, down(s));

	std::vector<int> order(n);
	std::iota(order.begin(), order.end(), 0);
	std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] < host[b]; });
	auto keys = up(host);
	bc::vector<int> values(n, q.get_context());
	bc::iota(values.begin(), values.end(), 0, q);
	bc::stable_sort_by_key(keys.begin(), keys.end(), values.begin(), q);
	same(label("stable_sort_by_key keys"), sorted, down(keys));
	same(label("stable_sort_by_key values"), order, down(values));

	T total = 0;
	bc::reduce(w.begin(), w.end(), &total, bc::plus<T>(), q);
	value(label("reduce"), T(std::accumulate(other.begin(), other.end(), T(0))), total, tolerance);
	T most = 0;
	bc::reduce(w.begin(), w.end(), &most, bc::max<T>(), q);
	value(label("reduce max"), *std::max_element(other.begin(), other.end()), most);
	value(label("accumulate"), T(std::accumulate(other.begin(), other.end(), T(7))), bc::accumulate(w.begin(), w.end(), T(7), q), tolerance);
	value<long>(label("min_element"), std::min_element(other.begin(), other.end()) - other.begin(), bc::min_element(w.begin(), w.end(), q) - w.begin());
	value<long>(label("max_element"), std::max_element(other.begin(), other.end()) - other.begin(), bc::max_element(w.begin(), w.end(), q) - w.begin());
	value<long>(label("find"), std::find(other.begin(), other.end(), other[n / 2]) - other.begin(), bc::find(w.begin(), w.end(), other[n / 2], q) - w.begin());
	value<long>(label("lower_bound"), std::lower_bound(sorted.begin(), sorted.end(), host[0]) - sorted.begin(), bc::lower_bound(v.begin(), v.end(), host[0], q) - v.begin());

	std::vector<T> scan(n);
	bc::vector<T> result(n, q.get_context());
	std::partial_sum(other.begin(), other.end(), scan.begin());
	bc::inclusive_scan(w.begin(), w.end(), result.begin(), q);
	same(label("inclusive_scan"), scan, down(result), tolerance);
	scan.insert(scan.begin(), T(0));
	scan.pop_back();
	bc::exclusive_scan(w.begin(), w.end(), result.begin(), q);
	same(label("exclusive_scan"), scan, down(result), tolerance);

	using bc::lambda::_1;
	using bc::lambda::_2;
	std::vector<T> mapped(n);
	std::transform(host.begin(), host.end(), other.begin(), mapped.begin(), [](T a, T b) { return T(a * 2 + b); });
	auto h = up(host);
	bc::transform(h.begin(), h.end(), w.begin(), result.begin(), _1 * 2 + _2, q);
	same(label("transform"), mapped, down(result), tolerance);
	value<long>(label("count_if"), std::count_if(other.begin(), other.end(), [](T a) { return a > T(500); }), bc::count_if(w.begin(), w.end(), _1 > T(500), q));
	std::vector<T> some;
	std::copy_if(other.begin(), other.end(), std::back_inserter(some), [](T a) { return a > T(500); });
	auto end = bc::copy_if(w.begin(), w.end(), result.begin(), _1 > T(500), q);
	auto all = down(result);
	all.resize(end - result.begin());
	same(label("copy_if"), some, all);

	auto u = up(sorted);
	auto unique = sorted;
	unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
	auto last = bc::unique(u.begin(), u.end(), q);
	all = down(u);
	all.resize(last - u.begin());
	same(label("unique"), unique, all);

	auto sortedOther = other;
	std::sort(sortedOther.begin(), sortedOther.end());
	auto so = up(sortedOther);
	std::vector<T> merged(2 * n);
	std::merge(sorted.begin(), sorted.end(), sortedOther.begin(), sortedOther.end(), merged.begin());
	bc::vector<T> both(2 * n, q.get_context());
	bc::merge(v.begin(), v.end(), so.begin(), so.end(), both.begin(), q);
	same(label("merge"), merged, down(both));
	std::vector<T> common;
	std::set_intersection(sorted.begin(), sorted.end(), sortedOther.begin(), sortedOther.end(), std::back_inserter(common));
	auto cut = bc::set_intersection(v.begin(), v.end(), so.begin(), so.end(), both.begin(), q);
	all = down(both);
	all.resize(cut - both.begin());
	same(label("set_intersection"), common, all);

	auto map = up(order);
	std::vector<T> gathered(n), scattered(n);
	for (size_t i = 0; i < n; i++) gathered[i] = other[order[i]], scattered[order[i]] = other[i];
	bc::gather(map.begin(), map.end(), w.begin(), result.begin(), q);
	same(label("gather"), gathered, down(result));
	bc::scatter(w.begin(), w.end(), map.begin(), result.begin(), q);
	same(label("scatter"), scattered, down(result));
	auto rotated = other;
	std::rotate(rotated.begin(), rotated.begin() + n / 3, rotated.end());
	auto r = up(other);
	bc::rotate(r.begin(), r.begin() + n / 3, r.end(), q);
	same(label("rotate"), rotated, down(r));
	value(label("inner_product"), double(std::inner_product(host.begin(), host.end(), other.begin(), T(0))), double(bc::inner_product(h.begin(), h.end(), w.begin(), T(0), q)), tolerance * 100);
}

int main() {
	try {
		bc::device device = bc::system::default_device();
		bc::context context(device);
		bc::command_queue q(context, device);
		queue = &q;
		for (size_t n : {1, 5, 64, 1000, 4097, 70000}) {
			algorithms<int>("int", n);
			algorithms<unsigned>("uint", n);
			algorithms<float>("float", n);
		}
		algorithms<long>("long", 3000);
		algorithms<double>("double", 3000);
		algorithms<short>("short", 3000);

		std::mt19937 random(42);
		std::vector<unsigned> want(10000);
		for (auto &x : want) x = random();
		bc::mersenne_twister_engine<unsigned> engine(q, 42);
		bc::vector<unsigned> numbers(want.size(), context);
		engine.generate(numbers.begin(), numbers.end(), q);
		same("mersenne_twister_engine", want, down(numbers));
	} catch (const std::exception &e) {
		std::printf("fail boost: %s\n", e.what());
		return 1;
	}
}
